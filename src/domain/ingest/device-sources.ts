/**
 * Where the messages of a device come from: a preset ("ttn/dragino-lse01"), a network alone ("ttn"),
 * or the map of a webhook.
 */
export const networkOfSource = (source: string): string => source.split('/', 1)[0] ?? source;

export const isOfOtherNetwork = (source: string, other: string): boolean =>
  networkOfSource(source) !== networkOfSource(other);

/** Two presets of one network; a network alone stands for all of its presets. */
export const isOtherPreset = (source: string, other: string): boolean =>
  source !== other &&
  !isOfOtherNetwork(source, other) &&
  source.includes('/') &&
  other.includes('/');

/** The name of a device of another network than the one whose device has its name. */
export const nameOnNetwork = (name: string, source: string): string =>
  `${networkOfSource(source)}/${name}`;

/** The source of several messages, or their network if they have several. */
export function commonSource(sources: Iterable<string | undefined>): string | undefined {
  const known = new Set([...sources].flatMap((source) => source ?? []));
  const [first] = known;
  return first === undefined || known.size === 1 ? first : networkOfSource(first);
}
