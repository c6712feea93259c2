import { expect, it } from 'vitest';
import { SOIL_HORIZONS } from '../../../src/domain/soil/soil-catalog.ts';
import { nearestTexture } from '../../../src/domain/soil/texture.ts';

it.each(SOIL_HORIZONS)('finds $usdaClass by its water contents', (horizon) => {
  expect(nearestTexture(horizon)).toBe(horizon.usdaClass);
});
