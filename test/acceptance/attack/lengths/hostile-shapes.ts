/** Texts full of what readers of figures, times, names, lists and columns look for. */
const PARTS = [
  '1 h ',
  '7',
  ' ',
  '-',
  '[',
  'é',
  '1,',
  '\t',
  '; ',
  '1/',
  '0.',
  'a ',
  ':',
  '20 cm: ',
  'and ',
  '{"a":',
  '"",',
];

/** After it, a reader that has looked at all finds that nothing fits. */
const MISFIT = 'x!';

export interface HostileShape {
  readonly name: string;
  textOf(length: number): string;
}

const shapeOf = (start: string, part: string, end: string): HostileShape => ({
  name: JSON.stringify(`${start}${part}…${end}`),
  textOf: (length) => {
    const rest = Math.max(0, length - start.length - end.length);
    const text = start + part.repeat(rest / part.length + 1).slice(0, rest) + end;
    return text.slice(0, length);
  },
});

/** After nothing, and after a text that is valid. */
export const hostileShapes = (valid: string | null): readonly HostileShape[] =>
  PARTS.flatMap((part) => [
    shapeOf('', part, MISFIT),
    ...(valid === null ? [] : [shapeOf(valid, part, '')]),
  ]);

/** The two that cost most in readers of words and in regular expressions. */
export const FEW_SHAPES: readonly HostileShape[] = [
  shapeOf('', '1 h ', ''),
  shapeOf('', ' ', MISFIT),
];
