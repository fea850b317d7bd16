//! Rules for names, label keys and label values, with the API machinery's texts
//! (`k8s.io/apimachinery/pkg/api/validate/content/kube.go`, `k8s.io/apimachinery/pkg/util/validation/validation.go`,
//! v0.37.2).

const LABEL_KEY_TEXT: &str = "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
const LABEL_VALUE_TEXT: &str = "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";
const DNS_LABEL_TEXT: &str = "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')";
const DNS_SUBDOMAIN_TEXT: &str = "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";

/// Longest name part of a label key and longest label value, in bytes.
pub const LABEL_LENGTH_MAX: usize = 63;
/// Longest DNS subdomain, in bytes.
pub const SUBDOMAIN_LENGTH_MAX: usize = 253;

fn too_long(limit: usize) -> String {
    format!("must be no more than {limit} bytes")
}

/// The older checks of names say characters where they count bytes (`k8s.io/apimachinery/pkg/util/validation`).
fn too_long_name(limit: usize) -> String {
    format!("must be no more than {limit} characters")
}

fn is_label_text(text: &str) -> bool {
    let bytes = text.as_bytes();
    let edge = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_alphanumeric);
    edge(bytes.first())
        && edge(bytes.last())
        && bytes
            .iter()
            .all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(byte))
}

fn is_dns_label_text(text: &str) -> bool {
    let plain = |byte: &u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    let bytes = text.as_bytes();
    bytes.first().is_some_and(plain)
        && bytes.last().is_some_and(plain)
        && bytes.iter().all(|byte| plain(byte) || *byte == b'-')
}

/// What is wrong with a label key or any other qualified name; empty when nothing is.
pub fn qualified_name_errors(key: &str) -> Vec<String> {
    let mut errors = Vec::new();
    let parts: Vec<&str> = key.split('/').collect();
    let name = match parts.as_slice() {
        [name] => name,
        [prefix, name] => {
            if prefix.is_empty() {
                errors.push("prefix part must be non-empty".to_owned());
            } else {
                if prefix.len() > SUBDOMAIN_LENGTH_MAX {
                    errors.push(format!("prefix part {}", too_long(SUBDOMAIN_LENGTH_MAX)));
                }
                if !prefix.split('.').all(is_dns_label_text) {
                    errors.push(format!("prefix part {DNS_SUBDOMAIN_TEXT}"));
                }
            }
            name
        }
        _ => {
            return vec![format!(
                "a valid label key {LABEL_KEY_TEXT} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')"
            )];
        }
    };
    if name.is_empty() {
        errors.push("name part must be non-empty".to_owned());
    } else if name.len() > LABEL_LENGTH_MAX {
        errors.push(format!("name part {}", too_long(LABEL_LENGTH_MAX)));
    }
    if !is_label_text(name) {
        errors.push(format!("name part {LABEL_KEY_TEXT}"));
    }
    errors
}

/// What is wrong with a label value; empty when nothing is.
pub fn label_value_errors(value: &str) -> Vec<String> {
    let mut errors = Vec::new();
    if value.len() > LABEL_LENGTH_MAX {
        errors.push(too_long(LABEL_LENGTH_MAX));
    }
    if !value.is_empty() && !is_label_text(value) {
        errors.push(LABEL_VALUE_TEXT.to_owned());
    }
    errors
}

/// What is wrong with a DNS label (names of namespaces, containers, services); empty when nothing is.
pub fn dns_label_errors(name: &str) -> Vec<String> {
    let mut errors = Vec::new();
    if name.len() > LABEL_LENGTH_MAX {
        errors.push(too_long_name(LABEL_LENGTH_MAX));
    }
    if !is_dns_label_text(name) {
        // A valid subdomain that is no label can only have dots too many.
        errors.push(if name.split('.').all(is_dns_label_text) {
            "must not contain dots".to_owned()
        } else {
            DNS_LABEL_TEXT.to_owned()
        });
    }
    errors
}

/// What is wrong with a DNS subdomain (most object names); empty when nothing is.
pub fn dns_subdomain_errors(name: &str) -> Vec<String> {
    let mut errors = Vec::new();
    if name.len() > SUBDOMAIN_LENGTH_MAX {
        errors.push(too_long_name(SUBDOMAIN_LENGTH_MAX));
    }
    if !name.split('.').all(is_dns_label_text) {
        errors.push(DNS_SUBDOMAIN_TEXT.to_owned());
    }
    errors
}
