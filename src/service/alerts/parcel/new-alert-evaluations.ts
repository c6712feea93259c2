import { chunksOf } from '../../../domain/groups.ts';
import { entryOf } from '../../../domain/items.ts';
import { type Call, WorkRequired, type WriteContext } from '../../../operation/call.ts';
import type { ListedAlertBody } from '../../../schema/alerts/alert.ts';
import { type AlertState, newAlertState } from '../../../store/alerts/alert-states.ts';
import {
  type AlertWithRecipient,
  addedAlertRows,
  type NewAlert,
  newRecipient,
  newUnnumberedAlert,
} from '../../../store/alerts/alerts.ts';
import { probesVersion } from '../../../store/changes/change-counts.ts';
import { encodePart, type NewPart } from '../../../store/changes/change-parts.ts';
import { allUsers } from '../../../store/company/companies.ts';
import { type Module, moduleById, moduleIdsOfParcel } from '../../../store/company/modules.ts';
import { readingVersions } from '../../../store/moisture/reading-versions.ts';
import { companyIdOf } from '../../../store/scope/company-db.ts';
import type { Store } from '../../../store/store.ts';
import type { CompanyDb } from '../../../store/tables.ts';
import { sameAlertCount } from '../alert-advisories.ts';
import { evaluateLoaded } from '../alert-evaluation.ts';
import { listedAlertBody } from '../alerts.ts';
import { watchedProbe } from '../kinds/watched-probe.ts';
import { WATCHED_VALUES } from '../kinds/watched-values.ts';

/** One read evaluates this many, so that it does not take long. */
const PROBES_PER_READ = 10;

/** One transaction stores this many: each takes the server several checks of references. */
const ALERTS_PER_TRANSACTION = 200;

/** Its alert is not stored yet. */
export interface ProbeToWatch extends AlertWithRecipient {
  readonly module: Module;
  readonly state: AlertState;
  readonly body: ListedAlertBody;
  /** False if it is to be notified: the evaluation after the commit does that. */
  readonly isSilent: boolean;
  readonly stressPoint: number | null;
  readonly readingVersion: string | undefined;
}

export interface ParcelProbes {
  readonly watched: readonly ProbeToWatch[];
  /** The first of them, whose alerts are stored at once. */
  readonly first: readonly ProbeToWatch[];
  /** The alerts of the others. */
  readonly laterParts: readonly NewPart[];
  /** Modules that measure no soil moisture. */
  readonly leftOut: readonly number[];
  /** How many alerts of the same threshold the watched probes already have. */
  readonly sameAlerts: number;
}

/**
 * The evaluations for the probes of a parcel, prepared before a call stores an alert on each of
 * them: hundreds would hold the write lock for seconds.
 */
export class NewAlertEvaluations {
  #found: (ParcelProbes & { readonly version: string }) | null = null;

  /** Throws WorkRequired unless they were evaluated, and the probes are the same since. */
  async ofParcel(call: Call, parcelId: number, rule: NewAlert): Promise<ParcelProbes> {
    const version = await versionOf(call.db, parcelId);
    if (this.#found?.version === version) return this.#found;

    throw new WorkRequired({
      needed: async (store) => {
        this.#found = await evaluateParcel(store, call, parcelId, rule);
      },
    });
  }
}

/** Equal versions mean equal modules and sensors. */
const versionOf = async (db: CompanyDb, parcelId: number): Promise<string> =>
  [await probesVersion(db), ...(await moduleIdsOfParcel(db, parcelId))].join(' ');

async function evaluateParcel(
  store: Store,
  call: Call,
  parcelId: number,
  rule: NewAlert,
): Promise<ParcelProbes & { readonly version: string }> {
  const read = <T>(body: (db: CompanyDb) => Promise<T>): Promise<T> =>
    store.read(companyIdOf(call.db), body);
  const { version, moduleIds, users } = await read(async (db) => ({
    version: await versionOf(db, parcelId),
    moduleIds: await moduleIdsOfParcel(db, parcelId),
    users: await allUsers(db),
  }));
  const user = entryOf(new Map(users.map((each) => [each.id, each])), rule.createdBy);

  const watched: ProbeToWatch[] = [];
  for (const ids of chunksOf(moduleIds, PROBES_PER_READ))
    watched.push(...(await read((db) => evaluateSome(db, call, ids, rule, user.name))));

  const watchedIds = new Set(watched.map(({ module }) => module.id));
  const sameAlerts = await read((db) => sameAlertCount(db, rule.threshold, [...watchedIds]));
  const leftOut = moduleIds.filter((id) => !watchedIds.has(id));
  const [first = [], ...later] = chunksOf(watched, ALERTS_PER_TRANSACTION);
  const laterParts: NewPart[] = [];
  for (const probes of later) laterParts.push(await encodePart(probes.flatMap(addedAlertRows)));

  return { version, watched, first, laterParts, leftOut, sameAlerts };
}

async function evaluateSome(
  db: CompanyDb,
  call: Call,
  ids: readonly number[],
  rule: NewAlert,
  userName: string,
): Promise<ProbeToWatch[]> {
  const context = { db, now: call.now };
  const versions = await readingVersions(db, ids);
  const watched: ProbeToWatch[] = [];
  for (const id of ids) {
    const module = await moduleById(db, id);
    if (module === null || !(await isWatched(context, module))) continue;
    const evaluated = await evaluateNewAlert(context, call.company, module, rule);
    const { alert, recipient, state } = evaluated;
    const body = listedAlertBody(call, alert, state, [{ ...recipient, userName }]);
    watched.push({ module, ...evaluated, body, readingVersion: versions.get(id) });
  }
  return watched;
}

async function evaluateNewAlert(
  context: WriteContext,
  company: Call['company'],
  module: Module,
  rule: NewAlert,
) {
  const alert = newUnnumberedAlert({ ...rule, moduleId: module.id }, context.now);
  const before = newAlertState(alert.id, 0);
  const probe = await watchedProbe(context.db, module);
  const loaded = { alert: { ...alert, seq: 0 }, probe, before, openEpisode: null };
  const { after, messages, replacement } = await evaluateLoaded(context, company, loaded);
  const soil = await WATCHED_VALUES.moisture.soilFigures(context, module);
  return {
    alert,
    recipient: newRecipient(alert),
    state: after,
    isSilent: messages.length === 0 && (replacement?.episodes.length ?? 0) === 0,
    stressPoint: soil?.stressPoint ?? null,
  };
}

const isWatched = async (context: WriteContext, module: Module): Promise<boolean> =>
  module.category === 'SOIL_PROBE' && (await WATCHED_VALUES.moisture.isMeasuredBy(context, module));
