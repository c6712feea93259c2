import { firingAlerts } from '../store/alerts/alert-states.ts';
import { modulesChangedAfter } from '../store/changes/changed-modules.ts';
import { newestChangeId } from '../store/changes/changes.ts';
import { type ChangedModules, mergeModules } from '../store/changes/collected-changes.ts';
import { hasPendingParts } from '../store/changes/pending-parts.ts';
import { hasPendingDoses } from '../store/irrigation/pending-doses.ts';
import { newestReadings } from '../store/moisture/reading-lookup.ts';
import type { CompanyDb } from '../store/tables.ts';

export const readFarm = async (db: CompanyDb) => ({
  newest: await newestReadings(db),
  firing: await firingAlerts(db),
  changeId: await newestChangeId(db),
  isCompleted: !(await hasPendingDoses(db, {})) && !(await hasPendingParts(db)),
});

type FarmState = Awaited<ReturnType<typeof readFarm>>;

/**
 * The modules whose change was announced, and those that differ between the two states. Some changes
 * are announced only, such as a reading that came late; others are not announced, such as those of
 * other processes on SQLite.
 */
export async function changedModulesOfFarm(
  db: CompanyDb,
  before: FarmState,
  after: FarmState,
  announced: ChangedModules,
): Promise<ChangedModules> {
  if (before === after) return announced;
  // What is completed later is a part of a change that is not newer.
  if (!before.isCompleted) return null;

  return [
    announced,
    await modulesChangedAfter(db, before.changeId),
    modulesThatDiffer(before.newest, after.newest),
    modulesThatDiffer(before.firing, after.firing),
  ].reduce(mergeModules);
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
