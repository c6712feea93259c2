import { describe, expect, it } from 'vitest';
import { LANGS } from '../../src/domain/lang.ts';
import type { MeasurementType } from '../../src/domain/moisture/measurement.ts';
import { moduleDisplayName, sensorDisplayLabel } from '../../src/language/default-names.ts';

const unnamed = (category: string | null, number: number | null) => ({
  name: null,
  category,
  number,
});
const unlabelled = (type: MeasurementType | null, depth: number | null) => ({
  label: null,
  type,
  depth,
});

describe('name of a module', () => {
  it.each(LANGS)('is the declared one in %s', (lang) => {
    expect(moduleDisplayName({ name: 'North 1', category: 'SOIL_PROBE', number: 12 }, lang)).toBe(
      'North 1',
    );
  });

  it.each([
    ['SOIL_PROBE', ['Soil probe 12', 'Sonde 12', 'Sonda 12']],
    ['TENSIOMETER', ['Tensiometer 12', 'Tensiomètre 12', 'Tensiómetro 12']],
    ['WEATHER_STATION', ['Weather station 12', 'Station météo 12', 'Estación meteorológica 12']],
  ])('of a %s defaults to its kind and number by language: %s', (category, names) => {
    expect(LANGS.map((lang) => moduleDisplayName(unnamed(category, 12), lang))).toEqual(names);
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
  it('is the declared one', () => {
    expect(sensorDisplayLabel({ label: 'Top', type: 'humidity', depth: 10 }, 'fr')).toBe('Top');
  });

  it.each([
    ['humidity', ['Moisture 10 cm', 'Humidité 10 cm', 'Humedad 10 cm']],
    ['temperature', ['Temperature 10 cm', 'Température 10 cm', 'Temperatura 10 cm']],
    ['tensio', ['Tension 10 cm', 'Tension 10 cm', 'Tensión 10 cm']],
  ] as const)('of %s defaults to its measure and depth by language: %s', (type, labels) => {
    expect(LANGS.map((lang) => sensorDisplayLabel(unlabelled(type, 10), lang))).toEqual(labels);
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
