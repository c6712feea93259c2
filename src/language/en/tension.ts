export interface TensionFacts {
  readonly name: string;
  readonly reading: string;
  /** Levels in kPa; empty if not drawn. */
  readonly wet: string;
  readonly dry: string;
}

export const englishTension = {
  noReading: (name: string) => `The state of ${name} is unknown: it has no readings of tension.`,
  reading: (value: string, at: string) => `${value} kPa ${at}`,
  staleData: (name: string, age: string, reading: string) =>
    `Old data, so the state of ${name} is unknown: its newest tension is ${age} old, ${reading}.`,
  tooDry: ({ name, reading, dry }: TensionFacts) =>
    `${name} is too dry: ${reading}, above its dry level of ${dry} kPa (higher is drier).`,
  tooWet: ({ name, reading, wet }: TensionFacts) =>
    `${name} is saturated: ${reading}, below its wet level of ${wet} kPa (higher is drier).`,
  comfort: ({ name, reading, wet, dry }: TensionFacts) =>
    `${name} is in comfort: ${reading}, between its wet level of ${wet} and its dry level of ${dry} kPa (higher is drier).`,
  notDry: ({ name, reading, dry }: TensionFacts) =>
    `${name} is not too dry: ${reading}, not above its dry level of ${dry} kPa (higher is drier). No wet level is drawn.`,
  notWet: ({ name, reading, wet }: TensionFacts) =>
    `${name} is not saturated: ${reading}, not below its wet level of ${wet} kPa (higher is drier). Whether it is too dry is unknown, because no dry level is drawn.`,
  noLevels: ({ name, reading }: TensionFacts) =>
    `${name} reads ${reading}, where higher is drier. Whether that is too dry is unknown, because no levels are drawn.`,
  crossedLevels: ({ name, reading, wet, dry }: TensionFacts) =>
    `${name} reads ${reading}, where higher is drier, but its wet level of ${wet} kPa is not below its dry level of ${dry} kPa: correct one with update_annotation.`,
  waterNow: 'Water now.',
  notYet: 'No need to water yet.',
  typical: (texture: string, { wet, from, to }: { wet: number; from: number; to: number }) =>
    `Usual on ${texture.toLowerCase()}: water between ${from} and ${to} kPa, saturated below ${wet} kPa; it depends on the crop.`,
  drawLevels:
    'Ask which levels apply, then draw them with create_annotation: chartType tensio, type h-line, fill dry or wet.',
  unknownSoil: 'Usual levels depend on the soil: with the texture of its parcel (set_soil_profile) they are suggested.',
};
