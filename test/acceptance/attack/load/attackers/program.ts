// A process of its own, so that its work does not delay the measurements. The first message is the
// plan; it then attacks until the second one, which it answers with its report.
import { Assistant } from './assistant.ts';
import { listenStreams, pageStreams } from './event-streams.ts';
import type { AttackMessage, AttackPlan, AttackReport } from './plan.ts';
import { Planner } from './planner.ts';
import { Uploader } from './uploader.ts';
import { Viewer } from './viewer.ts';

const send = (message: AttackMessage, onSent = (): void => undefined): void =>
  void process.send!(message, undefined, undefined, onSent);

/** Returns what reports how the attack went so far. */
function attack(plan: AttackPlan): () => AttackReport {
  const viewers = plan.viewers.keys.map((key) => new Viewer(plan, key));
  const assistants = plan.assistantKeys.map((_, index) => new Assistant(plan, index));
  const [pages, listeners] = [pageStreams(plan), listenStreams(plan)];
  const uploaders = plan.uploads.map((upload) => new Uploader(plan, upload));
  const planner = plan.scheduleKey === null ? null : new Planner(plan);

  for (const each of [pages, listeners, ...viewers, ...assistants, ...uploaders]) each.start();
  const planning = planner?.run(plan.scheduleKey!) ?? Promise.resolve();
  void planning.then(() => send({ kind: 'schedule done' }));

  return () => ({
    viewers: viewers.map((each) => each.report()),
    assistants: assistants.map((each) => each.report()),
    pageStreams: pages.report(),
    listenStreams: listeners.report(),
    uploads: uploaders.map((each) => each.report()),
    schedule: planner?.report() ?? null,
  });
}

process.once('disconnect', () => process.exit());
process.once('message', (plan: AttackPlan) => {
  const report = attack(plan);
  process.once('message', () => send({ kind: 'report', report: report() }, () => process.exit()));
});
