export const englishSuggestion = {
  capacity: (name: string, value: string, count: number, { least, most }: { least: string; most: string }) =>
    `Once drained, ${name} holds ${value} %, its field capacity: the median 24 to 48 hours after ${count} wettings that reached its deepest sensor, between ${least} and ${most} %.`,
  wettings: (times: string, areMore: boolean, zone: string) =>
    `They reached it ${times}${areMore ? ' and earlier' : ''} (${zone}).`,
  stressPoint: (value: string) => `With it, plants begin to suffer at ${value} %.`,
  noStressPoint:
    'The stress point needs a wilting point below it as well: declare the soil of its parcel with set_soil_profile.',
  offer: (value: string, exact: number, inForce: string | null) =>
    `${inForce === null ? 'No field capacity is in force' : `${inForce} % is in force`}: ask whether ${value} % shall count, then draw it with create_annotation (h-line, fill threshold1, p1 [now in ms, ${exact}]).`,
  tooFew: (name: string, count: number, needed: number) =>
    `The field capacity of ${name} cannot be told from its readings: in the last year ${count === 0 ? 'no wetting' : count === 1 ? 'only one wetting' : `only ${count} wettings`} reached its deepest sensor and then drained for two days without more water, and ${needed} are needed.`,
  unusedWettings: (reasons: string) => `Not counted: ${reasons}.`,
  unused: {
    wateredAgain: (count: number) => `${count} followed by more water within two days`,
    tooRecent: (count: number) => `${count} less than two days ago`,
    gaps: (count: number) => `${count} with too few readings afterwards`,
  },
  howToGetMore:
    'Water until the deepest sensor rises, wait two days, and ask again; or draw a field capacity that the person knows.',
};
