import { expect, it } from 'vitest';
import { themeCss } from '../../../../src/chart/theme.ts';
import { COLOURS } from '../../../../src/page/chart/drawing/colours.ts';

it('are the variables that the style of the page sets for both themes', () => {
  const [light, dark] = themeCss().split('}');
  for (const colour of Object.values(COLOURS)) {
    const [, variable] = /^var\((.+)\)$/.exec(colour)!;
    expect(light).toContain(`${variable}:#`);
    expect(dark).toContain(`${variable}:#`);
  }
});
