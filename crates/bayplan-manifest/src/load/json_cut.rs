//! Cuts a JSON stream into objects: items of lists, single objects, one after the other.
//!
//! Only strings, braces and the keys of the outermost object are looked at. That the pieces are valid is left to the
//! decoder: a piece that starts at an object's brace and decodes completely is that object and nothing else.

use std::ops::Range;
use std::sync::Arc;

use super::chunk::{Collector, Format, Identity, LARGEST_ITEM_BYTES, Receiver, place};
use super::window::Window;
use super::{json_layout, json_scan};
use crate::diagnostic::{Diagnostic, code};

/// The log sections that `kubectl cluster-info dump` writes between objects on standard output.
const LOG_START: &[u8] = b"==== START logs";
const LOG_END: &[u8] = b"==== END logs";

/// Cuts everything in the window. What cannot be read becomes a diagnostic.
pub(super) fn cut(file: &Arc<str>, window: &mut Window<'_>, chunk_bytes: usize, receiver: &mut dyn Receiver) {
    let mut cutter = Cutter {
        file,
        window,
        receiver,
        collector: Collector::new(file, Format::Json, chunk_bytes),
    };
    while cutter.next_value() {}
    cutter.hand_over();
}

struct Cutter<'a, 'reader> {
    file: &'a Arc<str>,
    window: &'a mut Window<'reader>,
    receiver: &'a mut dyn Receiver,
    collector: Collector,
}

/// How the search for an object's end went.
enum End {
    At(usize),
    Missing,
}

impl Cutter<'_, '_> {
    /// Reads one outermost value; false at the end of the stream or when nothing more can be read.
    fn next_value(&mut self) -> bool {
        // Single objects are collected, so the value starts behind them.
        let start = self.skip_space(self.collected_end());
        match self.window.byte(start) {
            None => false,
            Some(b'{') => self.object(start),
            Some(b'[') => {
                self.hand_over_at(start + 1);
                self.collector.inherited = None;
                let goes_on = self.items(0);
                self.collector.release(self.receiver);
                goes_on
            }
            Some(b'=') => self.skip_logs(start),
            Some(b'-') if self.is_separator(start) => {
                self.hand_over_at(start);
                let end = memchr::memchr(b'\n', self.window.bytes()).unwrap_or(self.window.bytes().len());
                self.window.consume(end);
                true
            }
            Some(_) => {
                self.fault(start, "expected an object", "this is neither JSON nor YAML");
                false
            }
        }
    }

    /// An outermost object: a list, whose items are cut, or an object by itself.
    fn object(&mut self, start: usize) -> bool {
        self.collector.inherited = None;
        let (mut api_version, mut kind) = (None, None);
        let mut is_list = false;
        let mut start = start;
        let mut at = start + 1;
        loop {
            at = self.skip_space(at);
            match self.window.byte(at) {
                Some(b'}') => {
                    at += 1;
                    break;
                }
                Some(b',') => {
                    at += 1;
                    continue;
                }
                Some(b'"') => {}
                _ => return self.broken(start, at, is_list),
            }
            let Some(key) = self.string(at) else {
                return self.broken(start, at, is_list);
            };
            at = self.skip_space(key.end);
            if self.window.byte(at) != Some(b':') {
                return self.broken(start, at, is_list);
            }
            at = self.skip_space(at + 1);
            let name = self.window.bytes()[key.start + 1..key.end - 1].to_vec();
            if name == b"items" && self.window.byte(at) == Some(b'[') {
                is_list = true;
                self.set_inherited(api_version.as_deref(), kind.as_deref());
                self.hand_over_at(at + 1);
                if !self.items(0) {
                    return false;
                }
                (start, at) = (0, 0);
                continue;
            }
            let Some(end) = self.value_end(at) else {
                return self.broken(start, at, is_list);
            };
            match &*name {
                b"apiVersion" => api_version = json_scan::text(&self.window.bytes()[at..end]),
                b"kind" => kind = json_scan::text(&self.window.bytes()[at..end]),
                _ => {}
            }
            at = end;
            if is_list {
                // Nothing of a list's own fields is needed later.
                self.window.consume(at);
                at = 0;
            }
        }
        if is_list {
            self.set_inherited(api_version.as_deref(), kind.as_deref());
            self.collector.release(self.receiver);
            self.window.consume(at);
        } else {
            self.collector.push(start..at);
            self.hand_over_if_full();
        }
        true
    }

    /// The items of a list, from behind its bracket (at `at`) to behind its closing one, which is consumed.
    fn items(&mut self, at: usize) -> bool {
        let mut at = at;
        let mut first = true;
        loop {
            at = self.skip_space(at);
            match self.window.byte(at) {
                Some(b',') => at += 1,
                Some(b']') => {
                    self.hand_over();
                    let rest = self.skip_space(0);
                    self.window.consume(rest + 1);
                    return true;
                }
                Some(b'{') => {
                    let Some(end) = self.item_end(at) else {
                        self.hand_over();
                        let start = self.skip_space_and_commas();
                        self.truncated(start);
                        self.collector.release(self.receiver);
                        return false;
                    };
                    if std::mem::take(&mut first) && self.collector.inherited.is_none() {
                        let (_, kind) = json_scan::identity(&self.window.bytes()[at..end]);
                        if kind.is_none() {
                            self.collector.hold();
                        }
                    }
                    self.collector.push(at..end);
                    at = end;
                    if self.hand_over_if_full() {
                        at = 0;
                    }
                }
                Some(_) => match self.value_end(at) {
                    Some(end) if end > at => {
                        self.fault(
                            at,
                            "a list item that is no object",
                            "items are objects with apiVersion and kind",
                        );
                        at = end;
                    }
                    _ => return self.broken(at, at, true),
                },
                None => {
                    self.hand_over();
                    self.truncated(0);
                    self.collector.release(self.receiver);
                    return false;
                }
            }
        }
    }

    /// The end of the object at `start`. When braces do not match, the next line that looks like the start of the
    /// following item ends it, so that one damaged item costs only itself.
    fn item_end(&mut self, start: usize) -> Option<usize> {
        match self.object_end(start) {
            End::At(end) => Some(end),
            End::Missing => json_layout::item_end(self.window.bytes(), start),
        }
    }

    fn object_end(&mut self, start: usize) -> End {
        let mut at = start;
        let mut depth = 0_usize;
        loop {
            if at - start > LARGEST_ITEM_BYTES {
                return End::Missing;
            }
            let Some(stop) = self
                .window
                .bytes()
                .get(at..)
                .and_then(|rest| memchr::memchr3(b'"', b'{', b'}', rest))
            else {
                at = at.max(self.window.bytes().len());
                if !self.window.fetch() {
                    return End::Missing;
                }
                continue;
            };
            at += stop;
            match self.window.bytes()[at] {
                b'{' => depth += 1,
                b'}' => {
                    depth -= 1;
                    if depth == 0 {
                        return End::At(at + 1);
                    }
                }
                _ => {
                    at = self.string_or_line_end(at);
                    continue;
                }
            }
            at += 1;
        }
    }

    /// Behind the string at `at`, or at the line end that comes before its closing quote: no JSON string holds one, so
    /// a forgotten quote must not turn the rest of the input inside out.
    fn string_or_line_end(&mut self, at: usize) -> usize {
        let mut at = at + 1;
        loop {
            let rest = self.window.bytes().get(at..).unwrap_or_default();
            match memchr::memchr3(b'"', b'\\', b'\n', rest) {
                Some(stop) => match rest[stop] {
                    b'"' => return at + stop + 1,
                    b'\\' => at += stop + 2,
                    _ => return at + stop,
                },
                None => {
                    at = at.max(self.window.bytes().len());
                    if !self.window.fetch() {
                        return at;
                    }
                }
            }
        }
    }

    fn set_inherited(&mut self, api_version: Option<&str>, kind: Option<&str>) {
        let item_kind = kind
            .and_then(|kind| kind.strip_suffix("List"))
            .filter(|kind| !kind.is_empty());
        if let (Some(api_version), Some(kind)) = (api_version, item_kind) {
            self.collector.inherited = Some(Arc::new(Identity {
                api_version: api_version.to_owned(),
                kind: kind.to_owned(),
            }));
        }
    }

    /// A fault in an outermost object; true when reading can go on behind it. Without items it is still given to the
    /// decoder, which knows better what is wrong with it.
    fn broken(&mut self, start: usize, at: usize, is_list: bool) -> bool {
        let mut goes_on = false;
        if self.window.byte(at).is_none() {
            self.hand_over();
            self.truncated(self.window.bytes().len());
        } else if is_list {
            self.fault(
                at,
                "expected a key, `,` or `}`",
                "the list around the items is damaged here",
            );
        } else {
            let end = match self.object_end(start) {
                End::At(end) => Some(end),
                // One object a line: the next one starts at a line start.
                End::Missing => {
                    memchr::memmem::find(&self.window.bytes()[start..], b"\n{").map(|next| start + next)
                }
            };
            goes_on = end.is_some();
            self.collector
                .push(start..end.unwrap_or(self.window.bytes().len()));
            self.hand_over();
        }
        self.collector.release(self.receiver);
        goes_on
    }

    /// Whether a YAML document separator stands at `at`, as between JSON documents joined by a template engine.
    fn is_separator(&mut self, at: usize) -> bool {
        let whole = self.window.byte(at + 2).is_some();
        whole && self.window.bytes()[at..].starts_with(b"---")
    }

    fn skip_logs(&mut self, start: usize) -> bool {
        self.hand_over_at(start);
        while self.window.bytes().len() < LOG_START.len() && self.window.fetch() {}
        if !self.window.bytes().starts_with(LOG_START) {
            self.fault(0, "expected an object", "this is neither JSON nor YAML");
            return false;
        }
        loop {
            if let Some(end) = memchr::memmem::find(self.window.bytes(), LOG_END) {
                let line = memchr::memchr(b'\n', &self.window.bytes()[end..]);
                if let Some(line) = line {
                    self.window.consume(end + line + 1);
                    return true;
                }
            } else {
                // All but a possible beginning of the end mark can go.
                let keep = LOG_END.len().min(self.window.bytes().len());
                self.window.consume(self.window.bytes().len() - keep);
            }
            if !self.window.fetch() {
                return false;
            }
        }
    }

    fn collected_end(&self) -> usize {
        self.collector.end()
    }

    fn skip_space(&mut self, mut at: usize) -> usize {
        while matches!(self.window.byte(at), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            at += 1;
        }
        at
    }

    fn skip_space_and_commas(&mut self) -> usize {
        let mut at = 0;
        while matches!(self.window.byte(at), Some(b' ' | b'\t' | b'\n' | b'\r' | b',')) {
            at += 1;
        }
        at
    }

    fn string(&mut self, at: usize) -> Option<Range<usize>> {
        loop {
            if let Some(end) = json_scan::string_end(self.window.bytes(), at) {
                return Some(at..end);
            }
            let broken = memchr::memchr(b'\n', &self.window.bytes()[at..]).is_some();
            if broken || !self.window.fetch() {
                return None;
            }
        }
    }

    fn value_end(&mut self, at: usize) -> Option<usize> {
        loop {
            // A value that ends with the buffer may go on behind it.
            let end =
                json_scan::value_end(self.window.bytes(), at).filter(|&end| end < self.window.bytes().len());
            if end.is_some() {
                return end;
            }
            let too_large = self.window.bytes().len() - at > LARGEST_ITEM_BYTES;
            if too_large || !self.window.fetch() {
                return json_scan::value_end(self.window.bytes(), at);
            }
        }
    }

    /// Hands the collected items over; positions in the window start anew behind them.
    fn hand_over(&mut self) {
        let end = self.collector.hand_over(self.window, self.receiver);
        self.window.consume(end);
    }

    /// Hands the collected items over and drops everything before `at`.
    fn hand_over_at(&mut self, at: usize) {
        self.collector.hand_over(self.window, self.receiver);
        self.window.consume(at);
    }

    fn hand_over_if_full(&mut self) -> bool {
        let full = self.collector.is_full();
        if full {
            self.hand_over();
        }
        full
    }

    fn fault(&mut self, at: usize, message: &str, hint: &str) {
        let at = place(self.file, self.window.place_of(at));
        self.receiver
            .diagnostic(Diagnostic::error(code::SYNTAX, message).at(at).hint(hint));
    }

    fn truncated(&mut self, at: usize) {
        let at = place(self.file, self.window.place_of(at));
        self.receiver.diagnostic(
            Diagnostic::error(code::TRUNCATED, "the input ends in the middle of an object")
                .at(at)
                .hint("capture it again; the objects before this place are used"),
        );
    }
}
