//! Workers that decode pieces in parallel, and a way back in the order of the input.

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

/// Runs `feed` with a pipeline of `workers` threads on a thread of its own; everything decoded reaches `sink` in the
/// order in which it was put in, on the calling thread.
pub(super) fn run(workers: usize, sink: &mut dyn FnMut(Decoded), feed: impl FnOnce(&mut Pipeline) + Send) {
    let workers = workers.max(1);
    let limit = workers * PIECES_PER_WORKER;
    let (jobs, queue) = sync_channel::<Job>(limit);
    let (order, results) = sync_channel::<Results<Decoded>>(limit);
    let queue = Arc::new(Mutex::new(queue));
    thread::scope(|scope| {
        for _ in 0..workers {
            let queue = Arc::clone(&queue);
            scope.spawn(move || work(&queue));
        }
        scope.spawn(move || feed(&mut Pipeline { jobs, order }));
        for result in results {
            // A worker that is gone without an answer panicked, and the scope passes that on.
            if let Ok(decoded) = result.recv() {
                sink(decoded);
            }
        }
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
pub(super) struct Pipeline {
    jobs: SyncSender<Job>,
    order: SyncSender<Results<Decoded>>,
}

impl Pipeline {
    /// Puts a piece in; waits when too many are under way.
    pub(super) fn put(&mut self, piece: Piece) {
        let (sender, result) = sync_channel(1);
        // Both ends live until this side is done; where one does not, its panic is on the way already.
        if self.order.send(result).is_ok() {
            let _ = self.jobs.send((piece, sender));
        }
    }
}

impl Receiver for Pipeline {
    fn chunk(&mut self, chunk: Chunk) {
        self.put(Piece::Chunk(chunk));
    }

    fn diagnostic(&mut self, diagnostic: Diagnostic) {
        let (sender, result) = sync_channel(1);
        let _ = sender.send(Decoded {
            diagnostics: vec![diagnostic],
            ..Decoded::default()
        });
        let _ = self.order.send(result);
    }
}
