import { englishCount } from '../grammar.ts';

export interface ImplausibleFacts {
  readonly figure: string;
  readonly value: string;
  /** The application rate that follows from it. */
  readonly rate: string | null;
  /** The same figure in another unit. */
  readonly meant: string | null;
}

/**
 * The questions and texts of "acequia init". Two spaces stand before what is about one parcel or
 * probe.
 */
export const englishInterview = {
  begin:
    'Acequia asks about your farm. Enter accepts the value in brackets, "<" goes back to the question before, and Ctrl-C ends and writes nothing.',
  yesOrNo: (isDefaultYes: boolean): string => (isDefaultYes ? '[Y/n]' : '[y/N]'),
  none: ['none', 'n', 'no'],
  firstQuestion: 'This is the first question.',
  continueDraft: (farm: string, answers: number) =>
    `There is a draft of "${farm}" with ${englishCount(answers, 'answer')}. Go on with it?`,
  draftKept: (command: string) => `Your answers are kept: ${command} goes on with them.`,
  ended: (question: string) => `The answers ended at "${question}".`,
  nothingWritten: 'Nothing was written.',
  notAnAnswer: (answer: string, question: string) =>
    `"${answer}" is not an answer to "${question}".`,
  expected: {
    answer: () => 'Please give an answer: it is needed.',
    shortName: () => 'Please give a name of at most 200 characters.',
    otherParcel: (name: string) => `Please give another one: there is already a parcel "${name}".`,
    otherProbe: (name: string) => `Please give another one: there is already a probe "${name}".`,
    country: () => 'Please give a country, such as France or FR.',
    zone: (example: string) => `Please give a time zone such as ${example}.`,
    zoneOfPlace: (places: string) => `Please give the zone of a place: ${places}.`,
    email: () => 'Please give an e-mail address.',
    text: (length: string) => `Please give at most ${length} characters.`,
    oneOf: (names: string) => `Please give one of ${names}.`,
    depths: () => 'Please give depths in cm such as 10, 30.',
    measurement: () => 'Please give moisture or tension.',
    texture: () => 'Please give a texture such as loam or sandy loam.',
    date: () => 'Please give a date such as 2026-03-01, March 2025 or 2024.',
    pastDate: () => 'Please give a date that is not in the future.',
    quantity: (example: string) => `Please give a quantity such as ${example}.`,
    emitters: (example: string) =>
      `Please give emitters per m2 such as 2, or both spacings such as ${example}.`,
  },
  holdsFarm: (store: string, farm: string) => ({
    message: `${store} already holds the farm "${farm}".`,
    hint: 'Tell the assistant what to change, or import a farm file. For another farm, name another store with --db.',
  }),
  storeFails: (store: string, command: string) =>
    `The store ${store} cannot be used: "${command}" says why.`,
  refused: (code: string) => `It was refused (${code}). With --lang en the reason is shown.`,
  figures: {
    emitterFlowLph: 'the flow of an emitter',
    emittersPerM2: 'the number of emitters per m2',
    emitterSpacingM: 'the spacing of the emitters',
    lineSpacingM: 'the spacing of the lines',
    flowMmPerH: 'the application rate',
    irrigatedAreaM2: 'the irrigated area',
  },
  implausible: ({ figure, value, rate, meant }: ImplausibleFacts) =>
    `No equipment has this: ${figure} is ${value}${rate === null ? '' : `, which gives ${rate}`}. ${meant === null ? 'Please give another figure.' : `If ${meant} is meant, give it with that unit.`}`,
  farmName: 'Name of the farm: ',
  country: 'Country',
  countryOrNone: 'Country (Enter to leave it out): ',
  timeZone: 'Time zone',
  email: 'Your e-mail address, for alerts (Enter to leave it out): ',
  userName: 'Your name: ',
  firstParcel: 'Name of a parcel (Enter for none): ',
  nextParcel: 'Name of the next parcel (Enter if that was the last): ',
  crop: '  Crop, such as olive (Enter to leave it out): ',
  system:
    '  Irrigation: drip, micro_sprinkler, sprinkler, pivot, gravity, manual or other (Enter for none): ',
  emitterFlow: (example: string) =>
    `  Flow of one emitter, such as ${example} (Enter if unknown): `,
  emitters: (example: string) =>
    `  Emitters per m2, or their spacing such as ${example} (Enter if unknown): `,
  rate: (example: string) => `  Application rate, such as ${example} (Enter if unknown): `,
  area: (example: string) => `  Irrigated area, such as ${example} (Enter if unknown): `,
  soil: '  Soil, such as loam or sandy loam (Enter if unknown): ',
  roots: (example: string) => `  Depth of the roots, such as ${example} (Enter if unknown): `,
  firstProbe: (isOnParcel: boolean) =>
    `Name of a probe${isOnParcel ? ' there' : ''} (Enter for none): `,
  nextProbe: (isOnParcel: boolean) =>
    `Name of the next probe${isOnParcel ? ' there' : ''} (Enter if that was the last): `,
  measures: '  It measures moisture or tension',
  moisture: 'moisture',
  depths: '  Depths of its sensors',
  number: '  Number on the probe or in its messages',
  since: '  In the ground since, such as 2026-03-01 (Enter if unknown): ',
  rateUnknown: 'application rate unknown',
  rootsTo: (depth: string) => `roots ${depth}`,
  on: (area: string) => `on ${area}`,
  at: (depths: string) => `at ${depths}`,
  numbered: (number: string) => `number "${number}"`,
  installedOn: (date: string) => `since ${date}`,
  write: (store: string) => `Write this farm to ${store}?`,
  farmWritten: (farm: string, store: string, parcels: number, probes: number) =>
    `"${farm}" is written to ${store}: ${englishCount(parcels, 'parcel')}, ${englishCount(probes, 'probe')}.`,
  notStored: (command: string) =>
    `The farm could not be written. Your answers, to import with ${command} later:`,
  saveAsFile:
    'Save it as a farm file too, to change and import again? A file name (Enter for none): ',
  fileWritten: (file: string) => `${file} written.`,
  fileExists: (file: string) => `${file} exists already.`,
  fileOfStore: (file: string) => `"${file}" is a file of a store.`,
  fileFails: (file: string, code: string) => `${file} cannot be written (${code}).`,
  noAssistant: (command: string) => `No assistant was found. Once one is installed: ${command}`,
  connect: (assistants: string) => `Connect an assistant (${assistants}, or none)`,
  connectLater: (command: string) => `To connect an assistant later: ${command}`,
  keepOn: (kind: string, sendsMail: boolean) =>
    `${sendsMail ? 'Alerts are checked and mail is sent' : 'Alerts are checked'} only while Acequia is on. Keep it on in the background (${kind})?`,
  onWhileOpen: (serve: string, install: string, sendsMail: boolean) =>
    `${sendsMail ? 'Alerts are checked and mail is sent' : 'Alerts are checked'} while an assistant or "${serve}" is open. "${install}" keeps Acequia on.`,
  bringReadings: 'Bring in readings:',
  mail: 'For mail about alerts:',
  say: 'Say to the assistant:',
  wateredProbe: (probe: string) => `I watered ${probe} for 45 minutes, this morning at six.`,
  twoProbes: 'I have two probes in the olives.',
};
