//! Controllers that make pods.

use crate::object::{
    IntOrString, LabelSelector, Labels, ObjectMeta, PersistentVolumeClaim, PodTemplateSpec, api,
};

api! {
    /// Deployment.
    pub struct Deployment {
        /// Metadata.
        pub metadata: ObjectMeta,
        /// Specification.
        pub spec: DeploymentSpec,
    }

    /// Specification of a Deployment.
    pub struct DeploymentSpec {
        /// Replicas; default 1.
        pub replicas: Option<i32>,
        /// Its pods.
        pub selector: Option<LabelSelector>,
        /// Template.
        pub template: PodTemplateSpec,
        /// Update strategy.
        pub strategy: DeploymentStrategy,
        /// Seconds of readiness before a pod counts as available.
        pub min_ready_seconds: i32,
        /// Seconds without progress before the rollout counts as failed; default 600.
        pub progress_deadline_seconds: Option<i32>,
        /// Only scaling is done.
        pub paused: bool,
    }

    /// Update strategy of a Deployment.
    pub struct DeploymentStrategy {
        /// `RollingUpdate` (default) or `Recreate`.
        #[serde(rename = "type")]
        pub kind: String,
        /// Parameters of a rolling update.
        pub rolling_update: Option<RollingUpdateDeployment>,
    }

    /// Parameters of a Deployment's rolling update.
    pub struct RollingUpdateDeployment {
        /// Pods that may be missing; default 25 %, rounded down.
        pub max_unavailable: Option<IntOrString>,
        /// Pods that may be too many; default 25 %, rounded up.
        pub max_surge: Option<IntOrString>,
    }

    /// ReplicaSet.
    pub struct ReplicaSet {
        /// Metadata.
        pub metadata: ObjectMeta,
        /// Specification.
        pub spec: ReplicaSetSpec,
        /// Reported state.
        pub status: ReplicaSetStatus,
    }

    /// Specification of a ReplicaSet.
    pub struct ReplicaSetSpec {
        /// Replicas; default 1.
        pub replicas: Option<i32>,
        /// Its pods.
        pub selector: Option<LabelSelector>,
        /// Template.
        pub template: PodTemplateSpec,
        /// Seconds of readiness before a pod counts as available.
        pub min_ready_seconds: i32,
    }

    /// Reported state of a ReplicaSet.
    pub struct ReplicaSetStatus {
        /// Pods.
        pub replicas: i32,
        /// Ready pods.
        pub ready_replicas: i32,
        /// Available pods.
        pub available_replicas: i32,
    }

    /// ReplicationController.
    pub struct ReplicationController {
        /// Metadata.
        pub metadata: ObjectMeta,
        /// Specification.
        pub spec: ReplicationControllerSpec,
    }

    /// Specification of a ReplicationController.
    pub struct ReplicationControllerSpec {
        /// Replicas; default 1.
        pub replicas: Option<i32>,
        /// Its pods.
        pub selector: Labels,
        /// Template.
        pub template: Option<PodTemplateSpec>,
    }

    /// StatefulSet.
    pub struct StatefulSet {
        /// Metadata.
        pub metadata: ObjectMeta,
        /// Specification.
        pub spec: StatefulSetSpec,
    }

    /// Specification of a StatefulSet.
    pub struct StatefulSetSpec {
        /// Replicas; default 1.
        pub replicas: Option<i32>,
        /// Its pods.
        pub selector: Option<LabelSelector>,
        /// Template.
        pub template: PodTemplateSpec,
        /// A claim per pod and template, named `<template>-<pod>`.
        pub volume_claim_templates: Vec<PersistentVolumeClaim>,
        /// Governing service.
        pub service_name: String,
        /// `OrderedReady` (default) or `Parallel`.
        pub pod_management_policy: String,
        /// Update strategy.
        pub update_strategy: StatefulSetUpdateStrategy,
        /// Numbering.
        pub ordinals: Option<StatefulSetOrdinals>,
        /// Seconds of readiness before a pod counts as available.
        pub min_ready_seconds: i32,
    }

    /// Numbering of a StatefulSet's pods.
    pub struct StatefulSetOrdinals {
        /// First number.
        pub start: i32,
    }

    /// Update strategy of a StatefulSet.
    pub struct StatefulSetUpdateStrategy {
        /// `RollingUpdate` (default) or `OnDelete`.
        #[serde(rename = "type")]
        pub kind: String,
        /// Parameters of a rolling update.
        pub rolling_update: Option<RollingUpdateStatefulSet>,
    }

    /// Parameters of a StatefulSet's rolling update.
    pub struct RollingUpdateStatefulSet {
        /// Lower ordinals keep the old revision.
        pub partition: Option<i32>,
        /// Pods that may be missing; default 1.
        pub max_unavailable: Option<IntOrString>,
    }

    /// DaemonSet.
    pub struct DaemonSet {
        /// Metadata.
        pub metadata: ObjectMeta,
        /// Specification.
        pub spec: DaemonSetSpec,
    }

    /// Specification of a DaemonSet.
    pub struct DaemonSetSpec {
        /// Its pods.
        pub selector: Option<LabelSelector>,
        /// Template.
        pub template: PodTemplateSpec,
        /// Update strategy.
        pub update_strategy: DaemonSetUpdateStrategy,
        /// Seconds of readiness before a pod counts as available.
        pub min_ready_seconds: i32,
    }

    /// Update strategy of a DaemonSet.
    pub struct DaemonSetUpdateStrategy {
        /// `RollingUpdate` (default) or `OnDelete`.
        #[serde(rename = "type")]
        pub kind: String,
        /// Parameters of a rolling update.
        pub rolling_update: Option<RollingUpdateDaemonSet>,
    }

    /// Parameters of a DaemonSet's rolling update.
    pub struct RollingUpdateDaemonSet {
        /// Pods that may be missing; default 1.
        pub max_unavailable: Option<IntOrString>,
        /// Pods that may be too many; default 0.
        pub max_surge: Option<IntOrString>,
    }

    /// Job.
    pub struct Job {
        /// Metadata.
        pub metadata: ObjectMeta,
        /// Specification.
        pub spec: JobSpec,
    }

    /// Specification of a Job.
    pub struct JobSpec {
        /// Pods at the same time; default 1.
        pub parallelism: Option<i32>,
        /// Pods that must succeed.
        pub completions: Option<i32>,
        /// `NonIndexed` (default) or `Indexed`.
        pub completion_mode: Option<String>,
        /// Selector, made by the API server unless `manualSelector` is set.
        pub selector: Option<LabelSelector>,
        /// The selector is the user's own.
        pub manual_selector: Option<bool>,
        /// No pods are made.
        pub suspend: Option<bool>,
        /// Template.
        pub template: PodTemplateSpec,
    }

    /// CronJob.
    pub struct CronJob {
        /// Metadata.
        pub metadata: ObjectMeta,
        /// Specification.
        pub spec: CronJobSpec,
    }

    /// Specification of a CronJob.
    pub struct CronJobSpec {
        /// When, in cron format.
        pub schedule: String,
        /// No jobs are made.
        pub suspend: Option<bool>,
        /// The jobs to be made.
        pub job_template: JobTemplateSpec,
    }

    /// Template of a job.
    pub struct JobTemplateSpec {
        /// Metadata.
        pub metadata: ObjectMeta,
        /// Specification.
        pub spec: JobSpec,
    }

    /// LeaderWorkerSet (leaderworkerset.x-k8s.io/v1).
    pub struct LeaderWorkerSet {
        /// Metadata.
        pub metadata: ObjectMeta,
        /// Specification.
        pub spec: LeaderWorkerSetSpec,
    }

    /// Specification of a LeaderWorkerSet.
    pub struct LeaderWorkerSetSpec {
        /// Groups; default 1.
        pub replicas: Option<i32>,
        /// What a group is made of.
        pub leader_worker_template: LeaderWorkerTemplate,
        /// Update strategy.
        pub rollout_strategy: LeaderWorkerRolloutStrategy,
        /// `LeaderCreated` (default) or `LeaderReady`.
        pub startup_policy: String,
        /// How the pods find each other.
        pub network_config: Option<LeaderWorkerNetworkConfig>,
    }

    /// How the pods of a LeaderWorkerSet find each other.
    pub struct LeaderWorkerNetworkConfig {
        /// `Shared` or `UniquePerReplica`.
        pub subdomain_policy: Option<String>,
    }

    /// One group of a LeaderWorkerSet.
    pub struct LeaderWorkerTemplate {
        /// Template of the leader; absent means the worker's.
        pub leader_template: Option<PodTemplateSpec>,
        /// Template of the workers.
        pub worker_template: PodTemplateSpec,
        /// Pods in a group, leader included; default 1.
        pub size: Option<i32>,
        /// `RecreateGroupOnPodRestart` (default), `RecreateGroupAfterStart` or `None`.
        pub restart_policy: String,
        /// Splits a group.
        pub sub_group_policy: Option<SubGroupPolicy>,
        /// A claim per pod and template, as in a StatefulSet.
        pub volume_claim_templates: Vec<PersistentVolumeClaim>,
    }

    /// Splits a group of a LeaderWorkerSet.
    pub struct SubGroupPolicy {
        /// `LeaderWorker` (default) or `LeaderExcluded`.
        #[serde(rename = "subGroupPolicyType")]
        pub kind: Option<String>,
        /// Pods in a subgroup.
        pub sub_group_size: Option<i32>,
    }

    /// Update strategy of a LeaderWorkerSet.
    pub struct LeaderWorkerRolloutStrategy {
        /// `RollingUpdate` (default).
        #[serde(rename = "type")]
        pub kind: String,
        /// Parameters.
        pub rolling_update_configuration: Option<LeaderWorkerRollingUpdate>,
    }

    /// Parameters of a LeaderWorkerSet's rolling update.
    pub struct LeaderWorkerRollingUpdate {
        /// Lower groups keep the old revision.
        pub partition: Option<i32>,
        /// Groups that may be missing; default 1.
        pub max_unavailable: Option<IntOrString>,
        /// Groups that may be too many; default 0.
        pub max_surge: Option<IntOrString>,
    }
}
