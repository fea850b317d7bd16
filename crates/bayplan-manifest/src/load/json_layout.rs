//! Where items end by the layout in which kubectl prints them, for text whose braces cannot be trusted.
//!
//! Printed lists have each item's braces on lines of their own at one indentation, and no string holds a line break.

use std::ops::Range;

/// The end of the item that starts at `start`: behind the closing brace that stands at the item's own indentation,
/// before another item or the end of the list.
pub(super) fn item_end(bytes: &[u8], start: usize) -> Option<usize> {
    let indentation = indentation(bytes, start)?;
    let mut closing = Vec::with_capacity(indentation + 2);
    closing.push(b'\n');
    closing.resize(indentation + 1, b' ');
    closing.push(b'}');
    let rest = bytes.get(start..)?;
    memchr::memmem::find_iter(rest, &closing)
        .map(|found| start + found + closing.len())
        .find(|&end| {
            matches!(
                bytes.get(end..),
                None | Some([] | [b'\n', ..] | [b',', b'\n', ..])
            )
        })
}

/// The items in `range`, whose first starts there; none when the layout is another one.
pub(super) fn items(bytes: &[u8], range: Range<usize>) -> Vec<Range<usize>> {
    let bytes = bytes.get(..range.end).unwrap_or(bytes);
    let mut items = Vec::new();
    let mut start = range.start;
    while let Some(end) = item_end(bytes, start) {
        items.push(start..end);
        let Some([b',', b'\n', after @ ..]) = bytes.get(end..) else {
            break;
        };
        let spaces = after.iter().take_while(|&&byte| byte == b' ').count();
        start = end + 2 + spaces;
        if bytes.get(start) != Some(&b'{') {
            break;
        }
    }
    items
}

/// Spaces before an item's brace when nothing else stands before it on its line.
fn indentation(bytes: &[u8], start: usize) -> Option<usize> {
    let before = bytes.get(..start)?;
    let line_start = memchr::memrchr(b'\n', before).map_or(0, |newline| newline + 1);
    let spaces = before.get(line_start..)?;
    (!spaces.is_empty() && spaces.iter().all(|&byte| byte == b' ')).then_some(spaces.len())
}
