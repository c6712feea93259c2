import { chunksOf } from '../../../domain/groups.ts';
import { type Call, WorkRequired, type WriteContext } from '../../../operation/call.ts';
import { type AlertState, newAlertState } from '../../../store/alerts/alert-states.ts';
import type { Alert, NewAlert } from '../../../store/alerts/alerts.ts';
import { probesVersion } from '../../../store/changes/change-counts.ts';
import type { CompanyRow } from '../../../store/company/companies.ts';
import { type Module, moduleById, moduleIdsOfParcel } from '../../../store/company/modules.ts';
import { readingVersions } from '../../../store/moisture/reading-versions.ts';
import { companyIdOf } from '../../../store/scope/company-db.ts';
import type { Store } from '../../../store/store.ts';
import type { CompanyDb } from '../../../store/tables.ts';
import { evaluateLoaded } from '../alert-evaluation.ts';
import { WATCHED_VALUES } from '../kinds/alert-kinds.ts';
import { watchedProbe } from '../kinds/watched-probe.ts';

/** One read evaluates this many, so that it does not take long. */
const PROBES_PER_READ = 10;

export interface ProbeToWatch {
  readonly module: Module;
  /** Of an alert without an id, that of its answer. */
  readonly state: AlertState;
  /** False if it is to be notified: the evaluation after the commit does that. */
  readonly isSilent: boolean;
  readonly stressPoint: number | null;
  readonly readingVersion: string | undefined;
}

interface ParcelProbes {
  readonly watched: readonly ProbeToWatch[];
  /** Modules that measure no soil moisture. */
  readonly leftOut: readonly number[];
}

/**
 * What one call finds out about the probes of a parcel before it stores an alert on each of them:
 * hundreds of evaluations would hold the write lock for seconds.
 */
export class NewAlertEvaluations {
  #found: (ParcelProbes & { readonly version: string }) | null = null;

  /** Throws WorkRequired unless they were evaluated, and the probes are the same since. */
  async ofParcel(call: Call, parcelId: number, rule: NewAlert): Promise<ParcelProbes> {
    const version = await versionOf(call.db, parcelId);
    if (this.#found?.version === version) return this.#found;

    const companyId = companyIdOf(call.db);
    const { now, company } = call;
    throw new WorkRequired({
      needed: async (store) => {
        this.#found = await new ParcelEvaluation(store, companyId, { now, company, rule }).run(
          parcelId,
        );
      },
    });
  }
}

/** Equal versions mean equal modules and sensors. */
const versionOf = async (db: CompanyDb, parcelId: number): Promise<string> =>
  [await probesVersion(db), ...(await moduleIdsOfParcel(db, parcelId))].join(' ');

interface EvaluationContext {
  readonly now: number;
  readonly company: CompanyRow;
  readonly rule: NewAlert;
}

class ParcelEvaluation {
  readonly #store: Store;
  readonly #companyId: number;
  readonly #context: EvaluationContext;

  constructor(store: Store, companyId: number, context: EvaluationContext) {
    this.#store = store;
    this.#companyId = companyId;
    this.#context = context;
  }

  async run(parcelId: number): Promise<ParcelProbes & { readonly version: string }> {
    const { version, moduleIds } = await this.#read(async (db) => ({
      version: await versionOf(db, parcelId),
      moduleIds: await moduleIdsOfParcel(db, parcelId),
    }));

    const watched: ProbeToWatch[] = [];
    for (const ids of chunksOf(moduleIds, PROBES_PER_READ))
      watched.push(...(await this.#read((db) => this.#evaluateSome(db, ids))));

    const watchedIds = new Set(watched.map(({ module }) => module.id));
    return { version, watched, leftOut: moduleIds.filter((id) => !watchedIds.has(id)) };
  }

  #read<T>(body: (db: CompanyDb) => Promise<T>): Promise<T> {
    return this.#store.read(this.#companyId, body);
  }

  async #evaluateSome(db: CompanyDb, ids: readonly number[]): Promise<ProbeToWatch[]> {
    const { now } = this.#context;
    const versions = await readingVersions(db, ids);
    const watched: ProbeToWatch[] = [];
    for (const id of ids) {
      const module = await moduleById(db, id);
      if (module === null || !(await isWatched({ db, now }, module))) continue;
      const evaluated = await this.#evaluate({ db, now }, module);
      watched.push({ module, ...evaluated, readingVersion: versions.get(id) });
    }
    return watched;
  }

  async #evaluate(context: WriteContext, module: Module) {
    const { company, rule, now } = this.#context;
    const alert: Alert & { moduleId: number } = {
      ...rule,
      ...{ id: '', seq: 0, kind: 'moisture', isActive: true, uncalibratedThreshold: null },
      ...{ moduleId: module.id, createdAt: now, updatedAt: now },
    };
    const before = newAlertState(alert.id, 0);
    const probe = await watchedProbe(context.db, module);
    const loaded = { alert, probe, before, openEpisode: null };
    const { after, messages, replacement } = await evaluateLoaded(context, company, loaded);
    const soil = await WATCHED_VALUES.moisture.soilFigures(context, module);
    return {
      state: after,
      isSilent: messages.length === 0 && (replacement?.episodes.length ?? 0) === 0,
      stressPoint: soil?.stressPoint ?? null,
    };
  }
}

const isWatched = async (context: WriteContext, module: Module): Promise<boolean> =>
  module.category === 'SOIL_PROBE' && (await WATCHED_VALUES.moisture.isMeasuredBy(context, module));
