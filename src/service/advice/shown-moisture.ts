import type { ShownMoistureBody } from '../../schema/advice.ts';
import type { FieldsOf, periodQuery } from '../../schema/field.ts';
import { toIso } from '../wire-format.ts';
import type { PerformedOperations } from './operation-reads.ts';

/** What the sentences need: the page that is opened reads its own. */
export async function showMoisture(
  { getMoistureSeries, getAgronomicState }: Pick<PerformedOperations, 'getMoistureSeries' | 'getAgronomicState'>,
  moduleId: number,
  { start, end }: FieldsOf<ReturnType<typeof periodQuery>>,
): Promise<ShownMoistureBody> {
  const period = { ...(start !== undefined && { start: toIso(start) }), ...(end !== undefined && { end: toIso(end) }) };
  const series = await getMoistureSeries({
    ...{ moduleId, ...period, maxPoints: 48, align: 'local', dailyBeyondDays: 14 },
  });
  return { moduleId, start: series.start, end: series.end, series, state: await getAgronomicState({ moduleId }) };
}

export const conciseShownMoisture = ({ series: { type, unit, statistics }, ...body }: ShownMoistureBody) => ({
  ...body,
  type,
  unit,
  statistics,
});
