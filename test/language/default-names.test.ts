import { describe, expect, it } from 'vitest';
import { moduleDisplayName, sensorDisplayLabel } from '../../src/language/default-names.ts';

const unnamed = (category: string | null, number: number | null) => ({ name: null, category, number });
const unlabelled = (type: string | null, depth: number | null) => ({ label: null, type, depth });

describe('name of a module', () => {
  it.each(['en', 'fr'] as const)('is the given one in %s', (lang) => {
    expect(moduleDisplayName({ name: 'North 1', category: 'SOIL_PROBE', number: 12 }, lang)).toBe('North 1');
  });

  it.each([
    ['SOIL_PROBE', 'Soil probe 12', 'Sonde 12'],
    ['WEATHER_STATION', 'Weather station 12', 'Station météo 12'],
  ])('of a %s defaults to "%s" and "%s" by language', (category, en, fr) => {
    expect([moduleDisplayName(unnamed(category, 12), 'en'), moduleDisplayName(unnamed(category, 12), 'fr')]).toEqual([
      en,
      fr,
    ]);
  });

  it('has a default too where the category is unknown', () => {
    expect(moduleDisplayName(unnamed(null, 3), 'en')).toBe('Module 3');
  });

  it('counts number 0 as a number', () => {
    expect(moduleDisplayName(unnamed('SOIL_PROBE', 0), 'en')).toBe('Soil probe 0');
  });

  it('is null with neither name nor number', () => {
    expect(moduleDisplayName(unnamed('TENSIOMETER', null), 'en')).toBeNull();
  });
});

describe('label of a sensor', () => {
  it('is the given one', () => {
    expect(sensorDisplayLabel({ label: 'Top', type: 'humidity', depth: 10 }, 'fr')).toBe('Top');
  });

  it.each([
    ['humidity', 'Moisture 10 cm', 'Humidité 10 cm'],
    ['temperature', 'Temperature 10 cm', 'Température 10 cm'],
    ['tensio', 'Tension 10 cm', 'Tension 10 cm'],
  ])('of %s defaults to "%s" and "%s" by language', (type, en, fr) => {
    expect([sensorDisplayLabel(unlabelled(type, 10), 'en'), sensorDisplayLabel(unlabelled(type, 10), 'fr')]).toEqual([
      en,
      fr,
    ]);
  });

  it('says 0 cm at the surface', () => {
    expect(sensorDisplayLabel(unlabelled('humidity', 0), 'en')).toBe('Moisture 0 cm');
  });

  it('leaves the depth out where there is none', () => {
    expect(sensorDisplayLabel(unlabelled('temperature', null), 'en')).toBe('Temperature');
  });

  it('is null where nothing is known', () => {
    expect(sensorDisplayLabel(unlabelled(null, 10), 'en')).toBeNull();
  });
});
