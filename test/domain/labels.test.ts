import { describe, expect, it } from 'vitest';
import { shownLabel, shownName } from '../../src/domain/labels.ts';

const unnamed = (category: string | null, number: number | null) => ({ name: null, category, number });
const unlabelled = (type: string | null, depth: number | null) => ({ label: null, type, depth });

describe('name of a module', () => {
  it.each(['en', 'fr'] as const)('is the given one in %s', (lang) => {
    expect(shownName({ name: 'North 1', category: 'SOIL_PROBE', number: 12 }, lang)).toBe('North 1');
  });

  it.each([
    ['SOIL_PROBE', 'Soil probe 12', 'Sonde 12'],
    ['WEATHER_STATION', 'Weather station 12', 'Station météo 12'],
  ])('of a %s defaults to "%s" and "%s" by language', (category, en, fr) => {
    expect([shownName(unnamed(category, 12), 'en'), shownName(unnamed(category, 12), 'fr')]).toEqual([en, fr]);
  });

  it('has a default too where the category is unknown', () => {
    expect(shownName(unnamed(null, 3), 'en')).toBe('Module 3');
  });

  it('counts number 0 as a number', () => {
    expect(shownName(unnamed('SOIL_PROBE', 0), 'en')).toBe('Soil probe 0');
  });

  it('is null with neither name nor number', () => {
    expect(shownName(unnamed('TENSIOMETER', null), 'en')).toBeNull();
  });
});

describe('label of a sensor', () => {
  it('is the given one', () => {
    expect(shownLabel({ label: 'Top', type: 'humidity', depth: 10 }, 'fr')).toBe('Top');
  });

  it.each([
    ['humidity', 'Moisture 10 cm', 'Humidité 10 cm'],
    ['temperature', 'Temperature 10 cm', 'Température 10 cm'],
    ['tensio', 'Tension 10 cm', 'Tension 10 cm'],
  ])('of %s defaults to "%s" and "%s" by language', (type, en, fr) => {
    expect([shownLabel(unlabelled(type, 10), 'en'), shownLabel(unlabelled(type, 10), 'fr')]).toEqual([en, fr]);
  });

  it('says 0 cm at the surface', () => {
    expect(shownLabel(unlabelled('humidity', 0), 'en')).toBe('Moisture 0 cm');
  });

  it('leaves the depth out where there is none', () => {
    expect(shownLabel(unlabelled('temperature', null), 'en')).toBe('Temperature');
  });

  it('is null where nothing is known', () => {
    expect(shownLabel(unlabelled(null, 10), 'en')).toBeNull();
  });
});
