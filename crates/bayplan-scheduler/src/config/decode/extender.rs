//! Extenders: `k8s.io/kube-scheduler/config/v1/types.go` (v0.37.2).

use super::{Decoder, Object};

/// An element of `extenders`.
#[derive(Debug, Default)]
pub(in crate::config) struct RawExtender {
    pub url_prefix: String,
    pub prioritize_verb: String,
    pub weight: i64,
    pub bind_verb: String,
    /// Resource name and whether the scheduler itself leaves it out.
    pub managed_resources: Vec<(String, bool)>,
}

/// Decodes `extenders`.
pub(super) fn extenders(decoder: &mut Decoder, root: &Object<'_>) -> Vec<RawExtender> {
    let fields = [
        "urlPrefix",
        "filterVerb",
        "preemptVerb",
        "prioritizeVerb",
        "weight",
        "bindVerb",
        "enableHTTPS",
        "tlsConfig",
        "httpTimeout",
        "nodeCacheCapable",
        "managedResources",
        "ignorable",
    ];
    let entries = decoder.children(root, "extenders", "Extender", &fields);
    entries.iter().map(|entry| extender(decoder, entry)).collect()
}

fn extender(decoder: &mut Decoder, object: &Object<'_>) -> RawExtender {
    for field in ["filterVerb", "preemptVerb"] {
        decoder.text(object, field);
    }
    for field in ["enableHTTPS", "nodeCacheCapable", "ignorable"] {
        decoder.boolean(object, field);
    }
    decoder.duration(object, "httpTimeout", true);
    let fields = [
        "insecure",
        "serverName",
        "certFile",
        "keyFile",
        "caFile",
        "certData",
        "keyData",
        "caData",
    ];
    if let Some(tls) = decoder.child(object, "tlsConfig", "ExtenderTLSConfig", &fields) {
        decoder.boolean(&tls, "insecure");
        for field in ["serverName", "certFile", "keyFile", "caFile"] {
            decoder.text(&tls, field);
        }
        for field in ["certData", "keyData", "caData"] {
            base64(decoder, &tls, field);
        }
    }
    let resources = decoder.children(
        object,
        "managedResources",
        "ExtenderManagedResource",
        &["name", "ignoredByScheduler"],
    );
    RawExtender {
        url_prefix: decoder.text(object, "urlPrefix").unwrap_or_default(),
        prioritize_verb: decoder.text(object, "prioritizeVerb").unwrap_or_default(),
        weight: decoder.int64(object, "weight").unwrap_or_default(),
        bind_verb: decoder.text(object, "bindVerb").unwrap_or_default(),
        managed_resources: resources
            .iter()
            .map(|resource| {
                let name = decoder.text(resource, "name").unwrap_or_default();
                (
                    name,
                    decoder
                        .boolean(resource, "ignoredByScheduler")
                        .unwrap_or_default(),
                )
            })
            .collect(),
    }
}

/// Checks that a text is base64, as Go's `[]byte` fields need.
fn base64(decoder: &mut Decoder, object: &Object<'_>, field: &str) {
    let Some(text) = decoder.text(object, field) else {
        return;
    };
    let text: Vec<u8> = text
        .bytes()
        .filter(|byte| !matches!(byte, b'\r' | b'\n'))
        .collect();
    let padding = text.iter().rev().take_while(|&&byte| byte == b'=').count();
    let digits = &text[..text.len() - padding];
    let is_digit = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/');
    if !text.len().is_multiple_of(4) || padding > 2 || !digits.iter().all(is_digit) {
        decoder.errors.push(&object.path_of(field), "illegal base64 data");
    }
}
