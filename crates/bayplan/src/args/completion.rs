//! `bayplan completion`.

use clap::Args;
use clap_complete::Shell;

const EXAMPLES: &str = "\
Examples:
  # Bash, for this session
  source <(bayplan completion bash)

  # Zsh, for good
  bayplan completion zsh > \"${fpath[1]}/_bayplan\"

  # kubectl bayplan: link the binary under the name that kubectl asks for completions
  ln -s \"$(command -v bayplan)\" ~/.local/bin/kubectl_complete-bayplan";

/// Arguments of `completion`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct CompletionArguments {
    /// The shell
    #[arg(value_enum)]
    pub shell: Shell,
}
