import type { ArgumentName } from '../../domain/text/text.ts';

/** What people call an argument, where its name in words would not say it. */
const ARGUMENT_WORDS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    module: 'probe',
    startedAt: 'start',
    endedAt: 'end',
    from: 'start of the period',
    to: 'end of the period',
    when: 'time',
    mm: 'amount of rain',
    inputMode: 'kind of amount',
    inputDepthMm: 'depth of water',
    freq: 'frequency',
    startTimes: 'start time',
    startsOn: 'first day',
    endsOn: 'last day',
    filledOn: 'day when the soil was full',
    plantedOn: 'day of planting',
    harvestedOn: 'day of harvest',
    restFrom: 'first day of the rest',
    restUntil: 'last day of the rest',
    refillPercent: 'share to refill',
    demandPercent: 'share of the demand',
    limit: 'number of rows',
    effectiveFrom: 'start',
    commissionedAt: 'start of service',
    emitterFlowLph: 'flow of an emitter',
    emittersPerM2: 'number of emitters per square metre',
    emitterSpacingM: 'spacing of the emitters',
    lineSpacingM: 'spacing of the lines',
    flowMmPerH: 'application rate',
    depthTopCm: 'top of a layer',
    depthBottomCm: 'bottom of a layer',
    soilHorizonId: 'texture of a layer',
    depthWeights: 'weights by depth',
    hysteresis: 'distance to the level that ends the alert',
    chartType: 'kind of curve',
    idempotencyKey: 'key against double entries',
    eventId: 'watering',
    versionId: 'version of the equipment',
    serialHex: 'serial number',
  }),
);

/** One item of a list, where its name without an s would not say it. */
const ITEM_WORDS: ReadonlyMap<string, string> = new Map([
  ['depthWeights', 'weight'],
  ['probes', 'probe'],
]);

/** Units and other endings that are not said. */
const SILENT_ENDING = /(Id|Min|Mm|Cm|M|M2|M3|Percent)$/;

const argumentWords = (name: string): string =>
  ARGUMENT_WORDS.get(name) ??
  name
    .replace(SILENT_ENDING, '')
    .replace(/([a-z])([A-Z])/g, (_, end: string, start: string) => `${end} ${start.toLowerCase()}`);

/** With its article; a path that has no words, such as "style.fill", is said as it is. */
export function spokenArgument({ path, isBare }: ArgumentName): string {
  const [, index = '0', , deeper] = path.split('.');
  if (Number.isNaN(Number(index)) || deeper !== undefined) return path;
  const words = argumentInWords(path);
  return isBare ? words : `the ${words}`;
}

/** "layers.2" is the third layer, and "layers.2.depthTopCm" what is wrong with it. */
export function argumentInWords(path: string): string {
  const [name = '', index, member] = path.split('.');
  if (index === undefined) return argumentWords(name);
  const item = `${ITEM_WORDS.get(name) ?? argumentWords(name).replace(/s$/, '')} ${Number(index) + 1}`;
  return member === undefined ? item : `${argumentWords(member)}, in ${item},`;
}
