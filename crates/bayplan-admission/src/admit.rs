//! The way of a list of objects through the API server and its controllers.

use std::borrow::Cow;
use std::collections::BTreeMap;

use bayplan_model::object::{Node, Object, ObjectRef, Pod};

use crate::admission::{AdmissionContext, Rejection, Unresolved, admit_claim, admit_pod, check_pod};
use crate::defaults::apply_defaults;
use crate::expand::{ExpandedWorkload, expand};
use crate::field::{ErrorKind, FieldError, FieldPath};
use crate::validation::{validate, warnings};

/// Why an object, or the pods it stands for, cannot be created.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// The object.
    pub object: ObjectRef,
    /// Position of the object in the list that was handed in.
    pub index: usize,
    /// Who refuses.
    pub stage: Stage,
    /// What is wrong and where, in terms of the object that was handed in.
    pub error: FieldError,
}

impl Fault {
    /// The API server's text.
    pub fn text(&self) -> String {
        self.error.to_string()
    }
}

/// Who refuses an object.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Stage {
    /// The API server refuses the object itself.
    Object,
    /// The object is accepted, but the pods or claims that its controller wants to create are not: its user sees
    /// `FailedCreate` events and no pods.
    Pods,
}

/// What the API server says about an object that it accepts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Warning {
    /// The object.
    pub object: ObjectRef,
    /// Position of the object in the list that was handed in.
    pub index: usize,
    /// The field.
    pub path: FieldPath,
    /// The text, without the field.
    pub text: String,
}

/// What could not be decided for lack of information.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Uncertainty {
    /// What is missing and what was assumed instead.
    pub reason: String,
    /// The objects concerned.
    pub objects: Vec<ObjectRef>,
}

/// What became of the objects.
#[derive(Debug, Clone, Default)]
pub struct Admitted {
    /// Workloads with their pods, in the order of the list.
    pub workloads: Vec<ExpandedWorkload>,
    /// Accepted objects that make no pods, with their defaults, in the order of the list.
    pub others: Vec<Object>,
    /// What is refused, in the order of the list.
    pub faults: Vec<Fault>,
    /// What is accepted with a warning.
    pub warnings: Vec<Warning>,
    /// What could not be decided.
    pub uncertain: Vec<Uncertainty>,
}

/// Creates `objects` in the cluster that `context` and `nodes` describe.
///
/// Objects of the list may refer to each other in any order, as controllers would try again until all are there. An
/// object that is refused makes no pods; the others are not affected.
pub fn admit(objects: Vec<Object>, context: &AdmissionContext, nodes: &[Node]) -> Admitted {
    let mut admitted = Admitted::default();
    let mut uncertainties = Uncertainties::default();
    let mut context = Cow::Borrowed(context);
    let mut accepted = Vec::with_capacity(objects.len());
    for (index, mut object) in objects.into_iter().enumerate() {
        apply_defaults(&mut object);
        if let Object::PersistentVolumeClaim(claim) = &mut object
            && let Err(rejection) = admit_claim(claim, &context)
        {
            let text = forbidden("persistentvolumeclaims", &claim.metadata.name, &rejection);
            admitted
                .faults
                .push(refusal(&object, index, Stage::Object, spec_path(&object), text));
            continue;
        }
        // A pod on its own is validated after admission, like every pod; see below.
        if !matches!(object, Object::Pod(_)) {
            let errors = validate(&object);
            if !errors.is_empty() {
                admitted.faults.extend(errors.into_iter().map(|error| Fault {
                    object: object.reference(),
                    index,
                    stage: Stage::Object,
                    error,
                }));
                continue;
            }
        }
        if AdmissionContext::reads(&object) {
            context.to_mut().add_new(&object);
        }
        accepted.push((index, object));
    }
    for (index, object) in accepted {
        let Some(expansion) = expand(&object, &context, nodes) else {
            add_warnings(&mut admitted, &object, index);
            admitted.others.push(object);
            continue;
        };
        let mut workload = ExpandedWorkload {
            workload: object.reference(),
            index,
            object,
            created: expansion.created,
            replicas: expansion.replicas,
            claims: expansion.claims,
            after_leader: expansion.after_leader,
            notes: expansion.notes,
        };
        if let Err(faults) = admit_replicas(&mut workload, &context, &mut uncertainties) {
            admitted.faults.extend(faults);
            continue;
        }
        add_warnings(&mut admitted, &workload.object, index);
        admitted.workloads.push(workload);
    }
    // Faults of pods were found after those of all objects.
    admitted.faults.sort_by_key(|fault| fault.index);
    admitted.uncertain = uncertainties.into_list();
    admitted
}

fn add_warnings(admitted: &mut Admitted, object: &Object, index: usize) {
    admitted
        .warnings
        .extend(warnings(object).into_iter().map(|(path, text)| Warning {
            object: object.reference(),
            index,
            path,
            text,
        }));
}

/// Admits and validates pods and claims. One refused pod stands for all of them: they differ in names only.
fn admit_replicas(
    workload: &mut ExpandedWorkload,
    context: &AdmissionContext,
    uncertainties: &mut Uncertainties,
) -> Result<(), Vec<Fault>> {
    let own = matches!(workload.object, Object::Pod(_));
    let stage = if own { Stage::Object } else { Stage::Pods };
    let pods_path = spec_path(&workload.object);
    for replica in &mut workload.replicas {
        let mut object = Object::Pod(std::mem::take(replica));
        apply_defaults(&mut object);
        let Object::Pod(pod) = &mut object else { continue };
        let refused = |rejection: Rejection, name: &str| {
            let text = forbidden("pods", name, &rejection);
            let path = pods_path.child(rejection.field);
            vec![refusal(&workload.object, workload.index, stage, path, text)]
        };
        match admit_pod(pod, context) {
            Ok(unresolved) => uncertainties.add(&workload.workload, pod, unresolved, context),
            Err(rejection) => return Err(refused(rejection, &pod.metadata.name)),
        }
        let errors = validate(&object);
        if !errors.is_empty() {
            let name = object.metadata().name.clone();
            return Err(invalid_pod(workload, &name, stage, errors));
        }
        if let Object::Pod(pod) = object {
            check_pod(&pod, context).map_err(|rejection| refused(rejection, &pod.metadata.name))?;
            *replica = pod;
        }
    }
    for claim in &mut workload.claims {
        let mut object = Object::PersistentVolumeClaim(std::mem::take(claim));
        apply_defaults(&mut object);
        let Object::PersistentVolumeClaim(filled) = object else {
            continue;
        };
        *claim = filled;
        if let Err(rejection) = admit_claim(claim, context) {
            let text = forbidden("persistentvolumeclaims", &claim.metadata.name, &rejection);
            return Err(vec![refusal(
                &workload.object,
                workload.index,
                stage,
                pods_path,
                text,
            )]);
        }
    }
    Ok(())
}

fn invalid_pod(workload: &ExpandedWorkload, name: &str, stage: Stage, errors: Vec<FieldError>) -> Vec<Fault> {
    errors
        .into_iter()
        .map(|error| {
            if stage == Stage::Object {
                return Fault {
                    object: workload.workload.clone(),
                    index: workload.index,
                    stage,
                    error,
                };
            }
            let path = template_path(&workload.object, &error.path);
            let text = format!("Pod {name:?} is invalid: {error}");
            refusal(&workload.object, workload.index, stage, path, text)
        })
        .collect()
}

/// The words that the API server puts before a plugin's text.
fn forbidden(resource: &str, name: &str, rejection: &Rejection) -> String {
    format!("{resource} {name:?} is forbidden: {rejection}")
}

fn refusal(object: &Object, index: usize, stage: Stage, path: FieldPath, text: String) -> Fault {
    Fault {
        object: object.reference(),
        index,
        stage,
        error: FieldError {
            path,
            kind: ErrorKind::Rejected,
            bad_value: None,
            detail: text,
        },
    }
}

/// The pod specification inside an object, or its own specification.
fn spec_path(object: &Object) -> FieldPath {
    let spec = FieldPath::root().child("spec");
    match object {
        Object::Deployment(_)
        | Object::ReplicaSet(_)
        | Object::ReplicationController(_)
        | Object::StatefulSet(_)
        | Object::DaemonSet(_)
        | Object::Job(_) => spec.child("template").child("spec"),
        Object::CronJob(_) => spec
            .child("jobTemplate")
            .child("spec")
            .child("template")
            .child("spec"),
        Object::LeaderWorkerSet(_) => spec
            .child("leaderWorkerTemplate")
            .child("workerTemplate")
            .child("spec"),
        _ => spec,
    }
}

/// A path of a pod as a path of the object whose template it comes from.
fn template_path(object: &Object, pod_path: &FieldPath) -> FieldPath {
    let spec = FieldPath::root().child("spec");
    let within = pod_path.strip_prefix(&spec);
    within.map_or_else(|| spec_path(object), |rest| spec_path(object).join(&rest))
}

/// Collects what is not known, each once with all objects concerned.
#[derive(Debug, Default)]
struct Uncertainties(BTreeMap<String, Vec<ObjectRef>>);

impl Uncertainties {
    fn add(
        &mut self,
        workload: &ObjectRef,
        pod: &Pod,
        unresolved: Vec<Unresolved>,
        context: &AdmissionContext,
    ) {
        for class in unresolved {
            let reason = match class {
                Unresolved::PriorityClass(name) => {
                    format!("no PriorityClasses were given: the priority of class {name} is taken as 0")
                }
                Unresolved::RuntimeClass(name) => format!(
                    "no RuntimeClasses were given: overhead, node selector and tolerations of class {name} are taken as empty"
                ),
            };
            self.add_one(reason, workload);
        }
        let namespace = &pod.metadata.namespace;
        if !context.may_have_namespace(namespace) {
            self.add_one(
                format!(
                    "namespace {namespace} is not among those given: it is taken as existing without labels"
                ),
                workload,
            );
        }
    }

    fn add_one(&mut self, reason: String, workload: &ObjectRef) {
        let objects = self.0.entry(reason).or_default();
        if objects.last() != Some(workload) {
            objects.push(workload.clone());
        }
    }

    fn into_list(self) -> Vec<Uncertainty> {
        self.0
            .into_iter()
            .map(|(reason, objects)| Uncertainty { reason, objects })
            .collect()
    }
}
