import { nextCall, nextLine } from '../next-calls.ts';

interface DrainedMoistureFacts {
  readonly least: string;
  readonly most: string;
  readonly isDoubtful: boolean;
}

const THOROUGH_WATERING = `Water once until no sensor rises any more, and draw what it holds two days later.${nextLine('threshold1')}`;

function countWettings(count: number): string {
  if (count === 0) return 'no wetting';
  return count === 1 ? 'only one wetting' : `only ${count} wettings`;
}

export const suggestionPhrases = {
  drainedMoisture: (
    name: string,
    value: string,
    count: number,
    { least, most, isDoubtful }: DrainedMoistureFacts,
  ) =>
    `Once drained, ${name} holds ${value} %${isDoubtful ? '' : ', its field capacity'}: the median 24 to 48 hours after ${count} wettings that reached its deepest sensor, ${least === most ? `all at ${least}` : `between ${least} and ${most}`} %.`,
  wettings: (times: string, areMore: boolean, zone: string) =>
    `${areMore ? 'The latest reached' : 'They reached'} it at these times: ${times} (${zone}).`,
  tooLow: (inForce: string) =>
    `That is far below the ${inForce} % in force, so it is hardly the field capacity: these waterings were probably too small to fill the soil, or its texture is declared wrong. ${THOROUGH_WATERING}`,
  tooWide: `They differ too much for one field capacity: some of these waterings were probably too small to fill the soil. ${THOROUGH_WATERING}`,
  noSoilMoisture: (name: string) =>
    `${name} has no soil moisture sensor, so it shows no field capacity.`,
  stressPoint: (value: string) => `With it, plants begin to suffer at ${value} %.`,
  noStressPoint: `The stress point needs a wilting point below it as well: declare the soil of its parcel.${nextCall('set_soil_profile')}`,
  offer: (value: string, exact: number, inForce: string | null) =>
    `${inForce === null ? 'No field capacity is in force' : `${inForce} % is in force`}: ask whether ${value} % should be used, then draw it.${nextLine('threshold1', exact)}`,
  tooFew: (name: string, count: number, needed: number) =>
    `The field capacity of ${name} cannot be determined from its readings: in the last year ${countWettings(count)} reached its deepest sensor from above and then drained for two days without more water, and ${needed} are needed.`,
  unusedWettings: (reasons: string) => `Not counted: ${reasons}.`,
  unusedReasons: {
    wateredAgain: (count: number) => `${count} followed by more water within two days`,
    tooRecent: (count: number) => `${count} less than two days ago`,
    gaps: (count: number) => `${count} with too few readings afterwards`,
  },
  howToGetMore:
    'Water until the deepest sensor rises, wait two days, and ask again; or draw a field capacity that the person knows.',
};
