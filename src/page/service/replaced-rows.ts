import { compareSortKeys, needSortKey } from '../../domain/advice/farm/need.ts';
import type { FarmPageBody, PageProbe } from '../../schema/advice/farm-page.ts';

/**
 * The farm with new rows of these modules. `page` may also have rows of the tensiometers of their
 * parcels.
 */
export function withRows(
  farm: FarmPageBody,
  modules: readonly number[],
  page: FarmPageBody,
): FarmPageBody {
  const read = new Set([...modules, ...page.data.map(({ moduleId }) => moduleId)]);
  const isKept = ({ moduleId }: { readonly moduleId: number }): boolean => !read.has(moduleId);

  const probes = [...farm.data.filter(isKept), ...page.data];
  const toConfirm = [...farm.toConfirm.filter(isKept), ...page.toConfirm];

  return {
    ...farm,
    time: page.time,
    data: probes.sort((a, b) => compareSortKeys(sortKeyOf(a), sortKeyOf(b))),
    toConfirm: toConfirm.sort((a, b) => (a.startedAt < b.startedAt ? 1 : -1)),
  };
}

/** The order of get_farm_page: the probe most in need first. */
const sortKeyOf = ({ need, daysToStress, value_vwc, value_tensio, moduleId }: PageProbe) =>
  needSortKey(need, { daysToStress, moisture: value_vwc, tension: value_tensio, id: moduleId });
