import { probeComparison } from '../../domain/advice/farm/compared-probes.ts';
import { type FarmProbe, farmProbe } from '../../domain/advice/farm/farm-probe.ts';
import { doubtsOf, followDoubts, type LastingDoubt } from '../../domain/advice/lasting-doubts.ts';
import { chunksOf, groupBy } from '../../domain/groups.ts';
import { withMargin } from '../../domain/weather/rain.ts';
import { langOfCountry } from '../../language/index.ts';
import type { WriteContext } from '../../operation/call.ts';
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
import { parcelWateringFacts } from '../../store/irrigation/parcel-waterings.ts';
import { wateringFacts } from '../../store/irrigation/watering-facts.ts';
import type { Store } from '../../store/store.ts';
import type { CompanyDb } from '../../store/tables.ts';
import { rainIn } from '../../store/weather/rain.ts';
import { ExchangedProbes } from '../advice/exchanged-probes.ts';
import { ExplainedChanges } from '../advice/explained-changes.ts';
import { LearnedUse } from '../advice/learned-use.ts';
import { ConditionsOfProbes } from '../advice/probe-conditions.ts';
import type { RunInWrite } from '../alerts/due-evaluations.ts';
import { loadProbeFacts } from '../facts/probe-facts-loading.ts';
import { listWeather } from '../weather/weather-days.ts';
import { type DoubtReport, queueDoubtMessage } from './doubt-messages.ts';

/** So few that other work of the process does not wait long. */
const PROBES_AT_ONCE = 5;

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
    // A change while the check runs leads to another check.
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
  const exchanges = new ExchangedProbes({
    probes: load,
    waterings: ({ start, end }) =>
      read((db) =>
        wateringFacts(
          db,
          modules.map(({ id }) => id),
          { from: start, to: end },
          now,
        ),
      ),
  });
  const uses = new LearnedUse(
    {
      modules: async () => modules,
      probes: async (ids) => new Map((await load(ids)).map((probe) => [probe.module.id, probe])),
      waterings: (ids, period) => read((db) => wateringFacts(db, ids, period, now)),
      parcelWaterings: (parcelId, period) =>
        read((db) => parcelWateringFacts(db, [parcelId], period, now)),
    },
    conditions,
    { now },
  );
  const probes: FarmProbe[] = [];
  for (const group of chunksOf(modules, PROBES_AT_ONCE)) {
    for (const found of await load(group.map(({ id }) => id))) {
      const changed = await changes.removeFrom(found);
      const farm = await conditions.of(changed);
      const probe = await exchanges.markIn(changed, farm);
      const byTables = farmProbe(probe.module, probe, farm);
      const learned = byTables.advice && (await uses.addTo(probe, byTables.advice.reasons));
      probes.push(learned ? farmProbe(probe.module, learned, farm) : byTables);
    }
    yield;
  }

  const recordedOf = groupBy(recorded, ({ moduleId }) => moduleId);
  const compare = probeComparison(probes, now);
  let messages = 0;
  for (const group of chunksOf(probes, PROBES_AT_ONCE)) {
    const changes = group.map((probe) => {
      const before = recordedOf.get(probe.module.id) ?? [];
      return compareDoubts(compare(probe), before, now);
    });
    if (changes.some(isChange))
      messages += await write((db) => writeChanges({ db, now }, company, changes));
    yield;
  }

  const probeIds = new Set(probes.map(({ module }) => module.id));
  // Modules that are no longer examined keep no doubt.
  const ofOthers = recorded.filter(({ moduleId }) => !probeIds.has(moduleId));
  await write(async (db) => {
    for (const doubt of ofOthers) await deleteProbeDoubt(db, doubt);
    await recordDoubtCheck(db, { checkedAt: now, changeCount: count });
  });
  return messages;
}

/** The rows to write for a probe that has been examined. */
interface DoubtChanges {
  readonly gone: readonly ProbeDoubt[];
  readonly changed: readonly ProbeDoubt[];
  /** Null if no doubt is due. */
  readonly report: DoubtReport | null;
}

const isChange = ({ gone, changed, report }: DoubtChanges): boolean =>
  gone.length > 0 || changed.length > 0 || report !== null;

/** Returns how many messages were written. */
async function writeChanges(
  context: WriteContext,
  company: CompanyRow,
  changes: readonly DoubtChanges[],
): Promise<number> {
  let messages = 0;
  for (const { gone, changed, report } of changes) {
    for (const doubt of gone) await deleteProbeDoubt(context.db, doubt);
    for (const doubt of changed) await saveProbeDoubt(context.db, doubt);
    if (report !== null) messages += await queueDoubtMessage(context, company, report);
  }
  return messages;
}

function compareDoubts(
  { module, advice }: FarmProbe,
  before: readonly ProbeDoubt[],
  now: number,
): DoubtChanges {
  const { doubts, reported } = followDoubts(before, advice ? doubtsOf(advice) : [], now);
  const earlierOf = ({ reason }: LastingDoubt) =>
    before.find((earlier) => earlier.reason === reason);
  const isSame = (doubt: LastingDoubt): boolean => {
    const earlier = earlierOf(doubt);
    return (
      earlier?.since === doubt.since &&
      earlier.goneSince === doubt.goneSince &&
      earlier.messagedAt === doubt.messagedAt
    );
  };

  const remaining = new Set(doubts.map(earlierOf));
  return {
    gone: before.filter((doubt) => !remaining.has(doubt)),
    changed: doubts.flatMap((doubt) => (isSame(doubt) ? [] : [{ ...doubt, moduleId: module.id }])),
    report: advice !== null && reported.length > 0 ? { module, advice, doubts: reported } : null,
  };
}
