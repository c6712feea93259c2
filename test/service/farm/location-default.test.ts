import { expect, it } from 'vitest';
import { moduleInFile } from '../../../src/schema/farm/farm-file.ts';

it('takes the position of a module without a source as entered by a person', () => {
  expect(moduleInFile.location.parse({ lat: 43.6, lon: 3.9 })).toMatchObject({ source: 'manual' });
});
