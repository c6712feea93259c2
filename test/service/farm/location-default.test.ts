import { expect, it } from 'vitest';
import { moduleFields } from '../../../src/schema/farm/farm-file.ts';

it('takes the position of a module without a source as entered by a person', () => {
  expect(moduleFields.location.parse({ lat: 43.6, lon: 3.9 })).toMatchObject({ source: 'manual' });
});
