//! Workers that decode pieces in parallel, and a way back in the order of the input.

use std::collections::VecDeque;
use std::sync::mpsc::{Receiver as Results, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use super::chunk::{Chunk, Receiver};
use super::item::{Decoded, decode_chunk};
use super::small;
use crate::diagnostic::Diagnostic;

/// Pieces that may wait for each worker: enough to keep it busy, few enough not to count as memory.
const PIECES_PER_WORKER: usize = 3;

/// A piece of work.
pub(super) enum Piece {
    /// Items cut out of a stream.
    Chunk(Chunk),
    /// A whole small input.
    Whole { file: Arc<str>, bytes: Vec<u8> },
}

type Job = (Piece, SyncSender<Decoded>);

/// Runs `feed` with a pipeline of `workers` threads; everything decoded reaches `sink` in the order in which it was
/// put in, on the calling thread.
pub(super) fn run(workers: usize, sink: &mut dyn FnMut(Decoded), feed: impl FnOnce(&mut Pipeline<'_>)) {
    let workers = workers.max(1);
    let (jobs, queue) = sync_channel::<Job>(workers * PIECES_PER_WORKER);
    let queue = Arc::new(Mutex::new(queue));
    thread::scope(|scope| {
        for _ in 0..workers {
            let queue = Arc::clone(&queue);
            scope.spawn(move || work(&queue));
        }
        let mut pipeline = Pipeline {
            jobs,
            waiting: VecDeque::new(),
            limit: workers * PIECES_PER_WORKER,
            sink,
        };
        feed(&mut pipeline);
        pipeline.finish();
    });
}

/// Takes jobs until no more can come.
fn work(queue: &Mutex<Results<Job>>) {
    loop {
        // The queue holds no state that a panic elsewhere could have spoiled.
        let job = queue.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok((piece, result)) = job else {
            return;
        };
        let mut decoded = Decoded::default();
        match piece {
            Piece::Chunk(chunk) => decode_chunk(&chunk, &mut decoded),
            Piece::Whole { file, bytes } => small::decode(&file, bytes, &mut decoded),
        }
        // Nobody waits when the feeding side has given up; then the result does not matter.
        let _ = result.send(decoded);
    }
}

/// The feeding side.
pub(super) struct Pipeline<'sink> {
    jobs: SyncSender<Job>,
    waiting: VecDeque<Results<Decoded>>,
    limit: usize,
    sink: &'sink mut dyn FnMut(Decoded),
}

impl Pipeline<'_> {
    /// Puts a piece in; waits for the oldest one when too many are under way.
    pub(super) fn put(&mut self, piece: Piece) {
        while self.waiting.len() >= self.limit {
            self.take_oldest();
        }
        let (sender, result) = sync_channel(1);
        if self.jobs.send((piece, sender)).is_ok() {
            self.waiting.push_back(result);
        }
    }

    fn take_oldest(&mut self) {
        if let Some(result) = self.waiting.pop_front()
            && let Ok(decoded) = result.recv()
        {
            (self.sink)(decoded);
        }
    }

    fn finish(mut self) {
        while !self.waiting.is_empty() {
            self.take_oldest();
        }
    }
}

impl Receiver for Pipeline<'_> {
    fn chunk(&mut self, chunk: Chunk) {
        self.put(Piece::Chunk(chunk));
    }

    fn diagnostic(&mut self, diagnostic: Diagnostic) {
        while !self.waiting.is_empty() {
            self.take_oldest();
        }
        (self.sink)(Decoded {
            diagnostics: vec![diagnostic],
            ..Decoded::default()
        });
    }
}
