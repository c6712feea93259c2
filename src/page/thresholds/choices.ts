import type { ThresholdSuggestionBody } from '../../schema/advice/threshold-suggestion.ts';
import { toTenth } from './line-values.ts';
import type { ProbeLevels, ThresholdLine } from './threshold-lines.ts';

/** A value with its reason: found in the readings, the stress point, or usual for the soil. */
export interface Choice {
  readonly value: number;
  readonly reason: 'suggested' | 'atStressPoint' | 'fromSoil';
}

interface ProbeAtLine {
  readonly facts: ProbeLevels | null;
  readonly suggestion: ThresholdSuggestionBody | null;
  readonly stress: number | null;
}

/** The values that a person may choose instead of pulling the line. */
export function choicesFor(
  { kind }: Pick<ThresholdLine, 'kind'>,
  { facts, suggestion, stress }: ProbeAtLine,
): Choice[] {
  const typical = facts?.state.tension?.typical;
  switch (kind) {
    case 'fieldCapacity':
      return suggestion?.fieldCapacity == null || suggestion.doubt !== null
        ? []
        : [{ value: toTenth(suggestion.fieldCapacity), reason: 'suggested' }];
    case 'alert':
    case 'newAlert':
      return stress === null ? [] : [{ value: toTenth(stress), reason: 'atStressPoint' }];
    case 'wetLevel':
      return typical ? fromSoil(typical.wetLevel) : [];
    case 'dryLevel':
      return typical ? fromSoil(typical.dryFrom, typical.dryTo) : [];
    case 'wiltingPoint':
      return [];
  }
}

const fromSoil = (...values: readonly number[]): Choice[] =>
  [...new Set(values)].map((value) => ({ value, reason: 'fromSoil' }));
