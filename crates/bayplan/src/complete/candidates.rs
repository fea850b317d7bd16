//! Which words could come next, read from the definition of the command line.

use clap::{Arg, Command};

/// Words that could come next.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Completion {
    /// Candidates with a one-line description.
    pub candidates: Vec<(String, String)>,
    /// Whether a file name could come next.
    pub files: bool,
}

/// Completes the last of `words`, which may be empty; the words before it are taken as typed.
pub fn complete(root: &Command, words: &[String]) -> Completion {
    let (current, before) = match words.split_last() {
        Some((current, before)) => (current.as_str(), before),
        None => ("", &[][..]),
    };
    let mut command = root;
    let mut awaited: Option<&Arg> = None;
    for word in before {
        if awaited.take().is_some() {
            continue;
        }
        if let Some(argument) = option(command, word) {
            let takes_value = argument.get_action().takes_values() && !word.contains('=');
            awaited = takes_value.then_some(argument);
        } else if let Some(inner) = command.find_subcommand(word) {
            command = inner;
        }
    }
    if let Some(argument) = awaited {
        return values(argument, "", current);
    }
    if let Some((flag, value)) = current.split_once('=')
        && let Some(argument) = option(command, flag)
    {
        return values(argument, &format!("{flag}="), value);
    }
    if current.starts_with('-') {
        return options(command, current);
    }
    let mut completion = Completion::default();
    for inner in command.get_subcommands().filter(|inner| !inner.is_hide_set()) {
        if inner.get_name().starts_with(current) {
            let about = inner.get_about().map(ToString::to_string).unwrap_or_default();
            completion.candidates.push((inner.get_name().to_owned(), about));
        }
    }
    for argument in command.get_positionals() {
        completion
            .candidates
            .extend(values(argument, "", current).candidates);
    }
    completion
}

/// The option that `word` names, `--long`, `--long=value` or `-s`.
fn option<'a>(command: &'a Command, word: &str) -> Option<&'a Arg> {
    let name = word.split_once('=').map_or(word, |(name, _)| name);
    command.get_arguments().find(|argument| {
        argument
            .get_long()
            .is_some_and(|long| name.strip_prefix("--") == Some(long))
            || argument
                .get_short()
                .is_some_and(|short| name.strip_prefix('-') == Some(&short.to_string()))
    })
}

fn options(command: &Command, current: &str) -> Completion {
    let candidates = command
        .get_arguments()
        .filter(|argument| !argument.is_hide_set())
        .filter_map(|argument| {
            let flag = format!("--{}", argument.get_long()?);
            let help = argument.get_help().map(ToString::to_string).unwrap_or_default();
            flag.starts_with(current).then_some((flag, help))
        })
        .collect();
    Completion {
        candidates,
        files: false,
    }
}

fn values(argument: &Arg, prefix: &str, current: &str) -> Completion {
    let possible = argument.get_possible_values();
    let candidates = possible
        .iter()
        .filter(|value| !value.is_hide_set() && value.get_name().starts_with(current))
        .map(|value| {
            let help = value.get_help().map(ToString::to_string).unwrap_or_default();
            (format!("{prefix}{}", value.get_name()), help)
        })
        .collect();
    let names_file = argument
        .get_value_names()
        .unwrap_or_default()
        .iter()
        .any(|name| name.contains("FILE"));
    Completion {
        candidates,
        files: names_file,
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    fn names(words: &[&str]) -> Vec<String> {
        let mut command = crate::args::Arguments::command();
        command.build();
        let words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
        complete(&command, &words)
            .candidates
            .into_iter()
            .map(|(value, _)| value)
            .collect()
    }

    #[test]
    fn offers_commands_flags_and_values() {
        assert_eq!(names(&["pl"]), ["place"]);
        assert_eq!(names(&["place", "--tri"]), ["--trials"]);
        assert_eq!(names(&["place", "-o", "ma"]), ["markdown"]);
        assert_eq!(names(&["place", "--output=js"]), ["--output=json"]);
        assert_eq!(
            names(&["place", "--cluster", "x", "--ties", ""]),
            ["exact", "first", "random"]
        );
        assert_eq!(names(&["completion", "z"]), ["zsh"]);
    }

    #[test]
    fn leaves_file_names_to_the_shell() {
        let mut command = crate::args::Arguments::command();
        command.build();
        let completion = complete(&command, &["place".to_owned(), "-f".to_owned(), String::new()]);
        assert_eq!(
            completion,
            Completion {
                candidates: Vec::new(),
                files: true
            }
        );
    }
}
