import {
  SPARKLINE_STEP_MS,
  sparklinePeriod,
  sparklineValues,
} from '../../../domain/advice/farm/sparkline.ts';
import type { StateFacts } from '../../../domain/facts/probe-facts.ts';
import type { ProbeWateringFacts } from '../../../domain/facts/watering-facts.ts';
import { chunksOf } from '../../../domain/groups.ts';
import { firstOf, lastOf } from '../../../domain/items.ts';
import { MINUTE_MS } from '../../../domain/periods.ts';
import { languageOf } from '../../../language/index.ts';
import { mayHold } from '../../../operation/authorization.ts';
import type { ComposedCall } from '../../../operation/call.ts';
import type { FactSource } from '../../../operation/fact-source.ts';
import type { AskingCaller } from '../../../operation/operation.ts';
import type {
  FarmPageBody,
  FarmPageQuery,
  PageProbe,
  SparklineBody,
} from '../../../schema/advice/farm-page.ts';
import { SCOPES } from '../../../schema/scope.ts';
import { toIso } from '../../../schema/wire-format.ts';
import { allUsers } from '../../../store/company/companies.ts';
import { assessFarm } from './assessed-farm.ts';
import { textOfCheck, textOfWaiting } from './farm-page-texts.ts';
import { PROBES_AT_ONCE } from './load-farm.ts';
import { parcelsWithoutProbe } from './parcel-needs.ts';

export async function getFarmPage(
  call: ComposedCall,
  facts: FactSource,
  { moduleIds, lang }: FarmPageQuery,
): Promise<FarmPageBody> {
  const { assessed, plan, groups, stations, toRow, isSeenByOtherProbe } = await assessFarm(
    call,
    facts,
    moduleIds,
  );
  const listed = assessed.map(({ probe }) => probe.module.id);
  const sparklines = await loadSparklines(call, facts, listed);
  const company = facts.farm();
  const companyLang = company.lang ?? call.lang;
  const pageLang = lang ?? companyLang;
  const { reasons } = languageOf(pageLang);
  const waitingText =
    moduleIds === undefined ? await textOfWaiting(facts, pageLang, call.now) : null;

  return {
    time: toIso(call.now),
    probes: assessed.length,
    stations,
    groups,
    user: null,
    company: {
      name: company.name,
      timezone: call.zone,
      lang: companyLang,
      units: company.units ?? 'metric',
    },
    data: assessed.map(
      (member): PageProbe => ({
        ...toRow(member),
        ...(isSeenByOtherProbe(member) ? { wateredBy: 'otherProbe' } : {}),
        need: member.need,
        checkText: textOfCheck(member, reasons),
        sparkline: sparklines.get(member.probe.module.id) ?? null,
        comfort: comfortOf(member.probe.state),
      }),
    ),
    ...(moduleIds === undefined ? { parcels: await parcelsWithoutProbe(call) } : {}),
    ...(waitingText === null ? {} : { waiting: waitingText }),
    toConfirm: await wateringsToConfirm(facts, plan.toConfirm, moduleIds && new Set(listed)),
  };
}

/** The waterings of these modules; default: of the whole farm. */
async function wateringsToConfirm(
  facts: FactSource,
  waiting: readonly ProbeWateringFacts[],
  listed: ReadonlySet<number> | undefined,
): Promise<FarmPageBody['toConfirm']> {
  const shown = waiting.filter(({ moduleId }) => listed === undefined || listed.has(moduleId));
  if (shown.length === 0) return [];

  // The newest comes first.
  const bodies = await facts.wateringBodies({
    targets: listed && [...listed].map((moduleId) => ({ moduleId })),
    from: lastOf(shown).startedAt,
    to: firstOf(shown).startedAt + 1,
    status: 'planned',
  });
  const ids = new Set(shown.map(({ id }) => id));
  return bodies
    .filter(({ id }) => ids.has(id))
    .reverse()
    .map(({ configSnapshot: _, ...watering }) => watering);
}

export async function addPageUser(
  page: FarmPageBody,
  { caller, db }: AskingCaller,
): Promise<FarmPageBody> {
  const { userId, role } = caller;
  const users = userId === null ? [] : await allUsers(db);
  const name = users.find(({ id }) => id === userId)?.name ?? null;

  const scopes = SCOPES.filter((scope) => caller.scopes.includes(scope) && mayHold(role, scope));
  return { ...page, user: { id: userId, name, role, scopes } };
}

async function loadSparklines(
  { now, yieldOrCancel }: Pick<ComposedCall, 'now' | 'yieldOrCancel'>,
  facts: FactSource,
  moduleIds: readonly number[],
): Promise<ReadonlyMap<number, SparklineBody>> {
  const period = sparklinePeriod(now);
  const sparklines = new Map<number, SparklineBody>();
  for (const group of chunksOf(moduleIds, PROBES_AT_ONCE)) {
    for (const [id, curve] of await facts.sparklines(group)) {
      const values = sparklineValues(curve, period);
      if (values !== null)
        sparklines.set(id, {
          start: toIso(period.start),
          stepMin: SPARKLINE_STEP_MS / MINUTE_MS,
          values,
        });
    }
    await yieldOrCancel();
  }
  return sparklines;
}

/** In kPa for a tension, else in %. */
function comfortOf(state: StateFacts | null): PageProbe['comfort'] {
  if (state === null) return null;
  const { tension, stressPoint, fieldCapacity } = state;
  return tension
    ? { low: tension.wetLevel, high: tension.dryLevel }
    : { low: stressPoint, high: fieldCapacity };
}
