import type { LineDoubt } from '../../domain/moisture/line-limits.ts';
import { moisture, precise } from '../../domain/text/figures.ts';
import { say } from '../../domain/text/say.ts';
import type { Text } from '../../domain/text/text.ts';

const LINES: Readonly<Record<LineDoubt['line'], Text>> = {
  fieldCapacity: say`field capacity`,
  wiltingPoint: say`wilting point`,
};

/** "The field capacity is drawn at 45 %, but its texture class has 28 %". */
export const describeLineDoubt = ({ line, height, ...expectation }: LineDoubt): Text =>
  say`The ${LINES[line]} is drawn at ${precise(height, '%')}, but ${describeExpectation(expectation)}`;

function describeExpectation({ expected, basis }: Pick<LineDoubt, 'expected' | 'basis'>): Text {
  const percent = moisture(expected, '%');
  switch (basis) {
    case 'suggestion':
      return say`past waterings suggest ${percent}`;
    case 'soil_profile':
      return say`its texture class has ${percent}`;
    case 'moved':
      return say`that was drawn where the probe stood before`;
    case 'saturation':
      return say`soil that drains holds at most ${percent} there`;
  }
}
