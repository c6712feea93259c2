import type { TimelineRefusal } from '../domain/setup-timeline.ts';
import { invalidInput } from '../schema/error.ts';
import { toIso } from './wire.ts';

const TIMELINE_REFUSALS: Record<TimelineRefusal, { message: (at: string) => string; hint: string }> = {
  EFFECTIVE_FROM_IN_FUTURE: {
    message: (at) => `effectiveFrom ${at} lies in the future.`,
    hint: 'Declare the equipment once it is in the field; leave effectiveFrom out for now.',
  },
  INSTALLATION_VERSION_EXISTS_AT_DATE: {
    message: (at) => `A setup version of this target already starts at ${at}.`,
    hint: 'Use correct_installation to change that version, or give another effectiveFrom.',
  },
  INVALID_EFFECTIVE_FROM: {
    message: (at) => `effectiveFrom ${at} does not fit between the neighbouring versions.`,
    hint: 'See the versions with get_irrigation_setup and give an instant after the start of the one before and before the end of this one.',
  },
};

/** A refusal of the timeline in its own words, about an instant in ms. */
export function timelineError(refused: TimelineRefusal, at: number): Error {
  const { message, hint } = TIMELINE_REFUSALS[refused];
  return invalidInput(refused, message(toIso(at)), { hint, field: 'effectiveFrom' });
}

/** Told before whose it is, as everything that is wrong with the entry alone. */
export function refuseFutureStart(effectiveFrom: number | null | undefined, now: number): void {
  if (effectiveFrom != null && effectiveFrom > now) throw timelineError('EFFECTIVE_FROM_IN_FUTURE', effectiveFrom);
}
