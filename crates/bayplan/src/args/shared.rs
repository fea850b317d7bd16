//! Groups of flags that several commands share.

use std::path::PathBuf;

use bayplan_analysis::domains::LevelKey;
use clap::{Args, ValueEnum};

/// Which cluster is looked at.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Cluster")]
pub struct ClusterArguments {
    /// File or directory that describes the cluster, `-` for standard input
    ///
    /// Takes what kubectl prints (`kubectl get ... -o yaml|json`), lists, multi-document YAML, directories of such
    /// files, `kubectl cluster-info dump` folders, and any of them compressed with gzip.
    #[arg(long, value_name = "FILE|DIR|-")]
    pub cluster: Vec<PathBuf>,

    /// How a live cluster would be reached.
    #[command(flatten)]
    pub live: LiveArguments,
}

/// kubectl's flags for a live cluster. Clusters are read from files and pipes, so these only shape the kubectl command
/// that is suggested when `--cluster` is missing.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Live cluster (shapes the kubectl command that is suggested)")]
pub struct LiveArguments {
    /// Context of the kubeconfig
    #[arg(long, value_name = "NAME", conflicts_with = "cluster")]
    pub context: Option<String>,

    /// Path of the kubeconfig
    #[arg(long, value_name = "FILE", conflicts_with = "cluster")]
    pub kubeconfig: Option<PathBuf>,

    /// User to act as
    #[arg(long = "as", value_name = "USER", conflicts_with = "cluster")]
    pub act_as: Option<String>,

    /// Group to act as
    #[arg(long = "as-group", value_name = "GROUP", conflicts_with = "cluster")]
    pub act_as_group: Vec<String>,

    /// Time to wait for one answer
    #[arg(long, value_name = "DURATION", conflicts_with = "cluster")]
    pub request_timeout: Option<String>,
}

/// Which nodes fail together.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Failure domains")]
pub struct DomainArguments {
    /// Label of nodes that names their domain at a level, for example `rack=example.com/rack`; can be repeated
    ///
    /// Levels are nvlink, rack, zone, region, or any name of your own. For those that are not given the labels in use
    /// are tried.
    #[arg(long = "domain", value_name = "LEVEL=KEY", value_parser = level_key)]
    pub levels: Vec<LevelKey>,
}

fn level_key(text: &str) -> Result<LevelKey, String> {
    let example = "write it as LEVEL=KEY, for example rack=example.com/rack";
    let (name, key) = text.split_once('=').ok_or(example)?;
    if name.is_empty() || key.is_empty() {
        return Err(example.to_owned());
    }
    if name == "node" {
        return Err(
            "a node is a domain by its name; give a level of its own for what several nodes share".to_owned(),
        );
    }
    Ok(LevelKey {
        name: name.to_owned(),
        key: key.to_owned(),
    })
}

/// Which objects are looked at.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Selection")]
pub struct SelectionArguments {
    /// Namespace of names and of manifests that do not state one
    ///
    /// Without it names are looked up in `default`, as are manifests that do not state a namespace.
    #[arg(short = 'n', long, value_name = "NAME")]
    pub namespace: Option<String>,

    /// All namespaces
    #[arg(short = 'A', long)]
    pub all_namespaces: bool,

    /// Label selector
    #[arg(short = 'l', long, value_name = "SELECTOR")]
    pub selector: Option<String>,
}

/// How the result is printed.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Output")]
pub struct OutputArguments {
    /// Output form
    #[arg(short = 'o', long, value_name = "FORM", value_enum, default_value_t = OutputFormat::Table)]
    pub output: OutputFormat,

    /// Leave out the header line of tables
    #[arg(long)]
    pub no_headers: bool,

    /// Sort the rows of tables by a column, for example `NODE`; a leading `-` sorts downwards
    #[arg(long, value_name = "COLUMN", allow_hyphen_values = true)]
    pub sort_by: Option<String>,
}

/// Output forms.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum OutputFormat {
    /// Columns, as kubectl prints them
    Table,
    /// Columns with more detail
    Wide,
    /// JSON document
    Json,
    /// The JSON document as YAML
    Yaml,
    /// Names only
    Name,
    /// Comma-separated values
    Csv,
    /// Markdown tables
    Markdown,
}

/// How the scheduler is set up.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Scheduler")]
pub struct SchedulerArguments {
    /// KubeSchedulerConfiguration of the cluster's scheduler; without it the default one
    #[arg(long, value_name = "FILE")]
    pub scheduler_config: Option<PathBuf>,

    /// Stop the search when this share of the nodes is found feasible (1-100, 0 as the scheduler decides by itself)
    ///
    /// Every node is scored unless this is given. A live scheduler samples in clusters of more than 100 nodes; `0`
    /// mirrors its default.
    #[arg(long, value_name = "PERCENT", value_parser = clap::value_parser!(i32).range(0..=100))]
    pub percentage_of_nodes_to_score: Option<i32>,

    /// How ties between equally scored nodes are broken
    #[arg(long, value_enum, default_value_t = Ties::Exact)]
    pub ties: Ties,

    /// Seed of random ties and arrival orders
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    pub seed: u64,
}

/// Choice among equally scored nodes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Ties {
    /// What the scheduler does with `parallelism: 1`
    Exact,
    /// The first in the order of their names
    First,
    /// Any of them, by the seed
    Random,
}
