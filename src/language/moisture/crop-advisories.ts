import { DEFAULT_LANG } from '../../domain/lang.ts';
import type { AdvisorySentences } from '../advisory-sentences.ts';
import { englishCount } from '../en/grammar.ts';
import { englishTime } from '../en/time.ts';
import { formatNumber } from '../number-format.ts';
import { formatLocalDay } from '../time.ts';
import { cropName } from '../words/farming-terms.ts';
import { settingsPhrases } from './settings-phrases.ts';

/** Of the roots and the season of a crop. */
export const cropSentences = {
  roots_below_sensors: ({ rootDepthCm, deepestCm }) =>
    settingsPhrases.rootsBelowSensors(formatNumber(rootDepthCm), formatNumber(deepestCm)),
  usual_roots: ({ crop, fromCm, toCm, rootDepthCm }) => {
    const name = cropName(crop, DEFAULT_LANG);
    const usual = englishTime.range(formatNumber(fromCm), formatNumber(toCm));
    return rootDepthCm === null
      ? settingsPhrases.noRootDepth(name, usual)
      : settingsPhrases.rootsTooDeep(formatNumber(rootDepthCm), name, usual);
  },
  roots_of_probes_differ: ({ count }) =>
    settingsPhrases.rootsOfProbesDiffer(englishCount(count, 'probe')),
  harvest_ahead: ({ day }, context) => settingsPhrases.harvestAhead(formatLocalDay(day, context)),
} satisfies Partial<AdvisorySentences>;
