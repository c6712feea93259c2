import { firingAlerts } from '../store/alerts/alert-states.ts';
import { modulesChangedAfter } from '../store/changes/changed-modules.ts';
import { newestChangeId } from '../store/changes/changes.ts';
import { type ChangedModules, mergeModules } from '../store/changes/collected-changes.ts';
import { newestReadings } from '../store/moisture/reading-lookup.ts';
import type { Store } from '../store/store.ts';
import type { CompanyDb } from '../store/tables.ts';

const readFarm = async (db: CompanyDb) => ({
  newest: await newestReadings(db),
  firing: await firingAlerts(db),
  changeId: await newestChangeId(db),
});

export type FarmState = Awaited<ReturnType<typeof readFarm>>;

interface KnownState {
  readonly count: number;
  readonly state: Promise<FarmState>;
}

/** The newest state of each company, the one that was read last at the end. */
const knownStates = new WeakMap<Store, Map<number, KnownState>>();
const MAX_KNOWN = 256;

interface FarmSnapshot {
  readonly store: Store;
  readonly companyId: number;
  /** Changes of the company that the snapshot has seen. */
  readonly count: number;
}

/** Read once after a change, however many pages of the company are open. */
export function sharedFarmState(
  db: CompanyDb,
  { store, companyId, count }: FarmSnapshot,
): Promise<FarmState> {
  const ofStore = knownStates.get(store) ?? new Map<number, KnownState>();
  knownStates.set(store, ofStore);
  const known = ofStore.get(companyId);
  if (known?.count === count) return known.state;

  const state = readFarm(db);
  ofStore.delete(companyId);
  ofStore.set(companyId, { count, state });
  state.catch(() => {
    if (ofStore.get(companyId)?.state === state) ofStore.delete(companyId);
  });

  const [oldest] = ofStore.keys();
  if (ofStore.size > MAX_KNOWN && oldest !== undefined) ofStore.delete(oldest);
  return state;
}

interface Difference {
  readonly before: FarmState;
  readonly modules: ChangedModules;
}

/** Keyed by the later state. Most watchers compare the same two. */
const differences = new WeakMap<FarmState, Difference>();

/**
 * What was announced, such as a late reading, and what differs: not all is announced, and on SQLite
 * nothing of other processes.
 */
export async function changedModulesOfFarm(
  db: CompanyDb,
  before: FarmState,
  after: FarmState,
  announced: ChangedModules,
): Promise<ChangedModules> {
  if (before === after) return announced;

  const known = differences.get(after);
  if (known?.before === before) return mergeModules(announced, known.modules);

  const modules = [
    modulesThatDiffer(before.newest, after.newest),
    modulesThatDiffer(before.firing, after.firing),
  ].reduce(mergeModules, await modulesChangedAfter(db, before.changeId));
  differences.set(after, { before, modules });
  return mergeModules(announced, modules);
}

interface ModuleFact {
  readonly id: number | string;
  readonly moduleId: number | null;
}

export function modulesThatDiffer(
  before: readonly ModuleFact[],
  after: readonly ModuleFact[],
): ChangedModules {
  const differing = new Map<string, ModuleFact>();
  for (const fact of after) differing.set(JSON.stringify(fact), fact);
  for (const fact of before) {
    const text = JSON.stringify(fact);
    if (!differing.delete(text)) differing.set(text, fact);
  }
  // An alert without a module concerns the farm.
  return [...differing.values()]
    .map(({ moduleId }) => (moduleId === null ? null : [moduleId]))
    .reduce<ChangedModules>(mergeModules, []);
}
