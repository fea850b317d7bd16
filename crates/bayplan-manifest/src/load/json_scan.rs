//! Finding one's way in JSON without decoding it.

/// The end of the string that starts at `at`; `None` when it is not closed on its line.
pub(super) fn string_end(bytes: &[u8], at: usize) -> Option<usize> {
    let mut at = at + 1;
    loop {
        let rest = bytes.get(at..)?;
        let stop = memchr::memchr3(b'"', b'\\', b'\n', rest)?;
        match rest.get(stop) {
            Some(b'"') => return Some(at + stop + 1),
            Some(b'\\') => at += stop + 2,
            _ => return None,
        }
    }
}

/// The first byte from `at` on that is no white space.
pub(super) fn skip_space(bytes: &[u8], mut at: usize) -> usize {
    while matches!(bytes.get(at), Some(b' ' | b'\t' | b'\n' | b'\r')) {
        at += 1;
    }
    at
}

/// The end of the value that starts at `at`; it need not be valid inside.
pub(super) fn value_end(bytes: &[u8], at: usize) -> Option<usize> {
    match bytes.get(at)? {
        b'"' => string_end(bytes, at),
        b'{' | b'[' => {
            let mut at = at;
            let mut depth = 0_usize;
            loop {
                match bytes.get(at)? {
                    b'"' => {
                        at = string_end(bytes, at)?;
                        continue;
                    }
                    b'{' | b'[' => depth += 1,
                    b'}' | b']' => {
                        depth -= 1;
                        if depth == 0 {
                            return Some(at + 1);
                        }
                    }
                    _ => {}
                }
                at += 1;
            }
        }
        _ => {
            let rest = &bytes[at..];
            let length = rest
                .iter()
                .position(|byte| matches!(byte, b',' | b'}' | b']' | b'\n' | b' '));
            Some(at + length.unwrap_or(rest.len()))
        }
    }
}

/// Calls `see` with each key and value text of the object in `bytes` until it returns false or the object ends.
pub(super) fn each_field<'a>(bytes: &'a [u8], mut see: impl FnMut(&'a [u8], &'a [u8]) -> bool) -> Option<()> {
    let mut at = skip_space(bytes, 0);
    if bytes.get(at) != Some(&b'{') {
        return None;
    }
    at += 1;
    loop {
        at = skip_space(bytes, at);
        if bytes.get(at)? != &b'"' {
            return None;
        }
        let key_end = string_end(bytes, at)?;
        let key = bytes.get(at + 1..key_end - 1)?;
        at = skip_space(bytes, key_end);
        if bytes.get(at)? != &b':' {
            return None;
        }
        at = skip_space(bytes, at + 1);
        let end = value_end(bytes, at)?;
        if !see(key, bytes.get(at..end)?) {
            return Some(());
        }
        at = skip_space(bytes, end);
        if bytes.get(at)? != &b',' {
            return None;
        }
        at += 1;
    }
}

/// A string value decoded; `None` for other values.
pub(super) fn text(value: &[u8]) -> Option<String> {
    serde_json::from_slice(value).ok()
}

/// What the object says it is, as far as it says so.
pub(super) fn identity(object: &[u8]) -> (Option<String>, Option<String>) {
    let (mut api_version, mut kind) = (None, None);
    each_field(object, |key, value| {
        match key {
            b"apiVersion" => api_version = text(value),
            b"kind" => kind = text(value),
            _ => {}
        }
        api_version.is_none() || kind.is_none()
    });
    (api_version, kind)
}

/// `namespace/name` or `name` of an object, even if it is broken further down.
pub(super) fn name(object: &[u8]) -> Option<String> {
    let (mut namespace, mut name) = (None, None);
    each_field(object, |key, value| {
        if key != b"metadata" {
            return true;
        }
        each_field(value, |key, value| {
            match key {
                b"namespace" => namespace = text(value),
                b"name" => name = text(value),
                _ => {}
            }
            true
        });
        false
    });
    let name = name?;
    Some(match namespace {
        Some(namespace) => format!("{namespace}/{name}"),
        None => name,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identity_is_found_wherever_it_stands() {
        let object =
            br#"{"metadata":{"kind":"x","name":"a\"}"},"spec":[{},"]"],"kind":"Pod","apiVersion":"v1"}"#;
        assert_eq!(identity(object), (Some("v1".to_owned()), Some("Pod".to_owned())));
        assert_eq!(name(object).as_deref(), Some("a\"}"));
    }

    #[test]
    fn broken_objects_give_what_comes_before_the_break() {
        let object = br#"{"kind":"Pod","metadata":{"namespace":"n","name":"a"},"spec":{"x""#;
        assert_eq!(identity(object).1.as_deref(), Some("Pod"));
        assert_eq!(name(object).as_deref(), Some("n/a"));
        assert_eq!(identity(b"]"), (None, None));
    }
}
