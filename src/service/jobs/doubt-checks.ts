import { compareProbes } from '../../domain/advice/farm/compared-probes.ts';
import { type FarmProbe, farmProbe } from '../../domain/advice/farm/farm-probe.ts';
import { doubtsOf, followDoubts } from '../../domain/advice/lasting-doubts.ts';
import { chunksOf, groupBy } from '../../domain/groups.ts';
import { withMargin } from '../../domain/weather/rain.ts';
import { langOfCountry } from '../../language/index.ts';
import { DEFAULT_TIME_ZONE } from '../../schema/company/company.ts';
import {
  deleteProbeDoubt,
  type ProbeDoubt,
  probeDoubts,
  recordDoubtCheck,
  saveProbeDoubt,
} from '../../store/alerts/probe-doubts.ts';
import { changeCount } from '../../store/changes/change-counts.ts';
import type { CompanyRow } from '../../store/company/companies.ts';
import { moduleNames } from '../../store/company/modules.ts';
import { parcelNames } from '../../store/company/parcels.ts';
import type { Store } from '../../store/store.ts';
import type { CompanyDb } from '../../store/tables.ts';
import { rainIn } from '../../store/weather/rain.ts';
import { ExplainedChanges } from '../advice/explained-changes.ts';
import { ConditionsOfProbes } from '../advice/farm-conditions.ts';
import type { RunInWrite } from '../alerts/due-evaluations.ts';
import { loadProbeFacts } from '../facts/probe-facts-loading.ts';
import { listWeather } from '../weather/weather.ts';
import { type DoubtReport, queueDoubtMessage } from './doubt-messages.ts';

/** So few that other work of the process does not wait long. */
const PROBES_AT_ONCE = 10;

interface CheckOptions {
  readonly now: number;
  readonly write: RunInWrite;
}

/**
 * Records since when the advice for each probe has been in doubt, and reports what has lasted.
 * Returns how many messages were written. Between two steps other work may run.
 */
export async function* checkDoubts(
  store: Store,
  company: CompanyRow,
  { now, write }: CheckOptions,
): AsyncGenerator<void, number> {
  const call = {
    now,
    zone: company.timezone ?? DEFAULT_TIME_ZONE,
    lang: langOfCountry(company.country_code),
  };
  const { modules, recorded, count } = await store.read(company.id, async (db) => ({
    modules: await moduleNames(db),
    recorded: await probeDoubts(db),
    count: await changeCount(db),
  }));

  const read = <T>(body: (db: CompanyDb) => Promise<T>) => store.read(company.id, body);
  const conditions = new ConditionsOfProbes(
    { ...call, directory: { modules: async () => [], parcels: () => read(parcelNames) } },
    {
      rain: async (period) => ({
        ...period,
        records: await read((db) => rainIn(db, withMargin(period))),
      }),
      weather: (days) => read((db) => listWeather({ ...call, db }, days ?? {})),
    },
  );
  const load = (ids: readonly number[]) => read((db) => loadProbeFacts({ ...call, db }, ids));
  const changes = new ExplainedChanges({ modules: async () => modules, probes: load });
  const probes: FarmProbe[] = [];
  for (const group of chunksOf(modules, PROBES_AT_ONCE)) {
    for (const found of await load(group.map(({ id }) => id))) {
      const probe = await changes.removeFrom(found);
      probes.push(farmProbe(probe.module, probe, await conditions.of(probe)));
    }
    yield;
  }

  const { gone, changed, reports } = compareDoubts(compareProbes(probes, now), recorded, now);
  return write(async (db) => {
    for (const doubt of gone) await deleteProbeDoubt(db, doubt);
    for (const doubt of changed) await saveProbeDoubt(db, doubt);

    let messages = 0;
    for (const report of reports) messages += await queueDoubtMessage({ db, now }, company, report);

    await recordDoubtCheck(db, { checkedAt: now, changeCount: count });
    return messages;
  });
}

/** What is to be written after the probes have been examined. */
interface DoubtChanges {
  readonly gone: readonly ProbeDoubt[];
  readonly changed: readonly ProbeDoubt[];
  /** One for each probe with doubts that are due. */
  readonly reports: readonly DoubtReport[];
}

function compareDoubts(
  probes: readonly FarmProbe[],
  recorded: readonly ProbeDoubt[],
  now: number,
): DoubtChanges {
  const recordedOf = groupBy(recorded, ({ moduleId }) => moduleId);
  const remaining = new Set<ProbeDoubt>();
  const changed: ProbeDoubt[] = [];
  const reports: DoubtReport[] = [];

  for (const { module, advice } of probes) {
    const before = recordedOf.get(module.id) ?? [];
    const { doubts, reported } = followDoubts(before, advice ? doubtsOf(advice) : [], now);

    for (const doubt of doubts) {
      const earlier = before.find(({ reason }) => reason === doubt.reason);
      if (earlier !== undefined) remaining.add(earlier);
      const isChanged =
        earlier?.since !== doubt.since ||
        earlier.goneSince !== doubt.goneSince ||
        earlier.messagedAt !== doubt.messagedAt;
      if (isChanged) changed.push({ ...doubt, moduleId: module.id });
    }
    if (advice !== null && reported.length > 0) reports.push({ module, advice, doubts: reported });
  }

  return { gone: recorded.filter((doubt) => !remaining.has(doubt)), changed, reports };
}
