import { describe, expect, it } from 'vitest';
import {
  type DayOfWeather,
  extraterrestrialRadiation,
  largestCropEvapotranspiration,
  psychrometricConstant,
  referenceEvapotranspiration,
  saturationVapourPressure,
  vapourPressureSlope,
  windAtTwoMetres,
} from '../../../src/domain/weather/evapotranspiration.ts';

const NOTHING: DayOfWeather = {
  temperatureMin: null,
  temperatureMax: null,
  humidityMin: null,
  humidityMax: null,
  dewPoint: null,
  windMs: null,
  radiationMj: null,
};

describe('intermediate figures of FAO-56, chapter 3', () => {
  it('has the psychrometric constant at 1800 m (example 2)', () => {
    expect(psychrometricConstant(1800)).toBeCloseTo(0.054, 3);
  });

  it('has saturation vapour pressures of 24.5 and 15 degrees (example 3)', () => {
    expect(saturationVapourPressure(24.5)).toBeCloseTo(3.075, 2);
    expect(saturationVapourPressure(15)).toBeCloseTo(1.705, 3);
  });

  it('has the slope of annex 2, table 2.4', () => {
    expect(vapourPressureSlope(30)).toBeCloseTo(0.243, 3);
    expect(vapourPressureSlope(16.9)).toBeCloseTo(0.122, 3);
  });

  it('has the radiation beyond the atmosphere at 20 degrees south on 3 September (example 8)', () => {
    expect(extraterrestrialRadiation(-20, 246)).toBeCloseTo(32.2, 1);
  });

  it('has the wind at 2 m of 3.2 m/s at 10 m (example 14)', () => {
    expect(windAtTwoMetres(3.2, 10)).toBeCloseTo(2.4, 1);
  });

  it('has no sun in a polar night, and one that does not set in summer', () => {
    expect(extraterrestrialRadiation(80, 355)).toBeCloseTo(0, 6);
    expect(extraterrestrialRadiation(80, 172)).toBeGreaterThan(40);
  });
});

/*
 * Inputs and results of 17 and 18 as in tests/testthat of the R package CSLSevap (5.718 and 3.880 mm) and in
 * tests/testfao56.py of pyet; of Hargreaves in 20 (radiation 40.55 MJ/m2, 5.03 mm) as other programs cite it. The 4.56 mm
 * of 20 could not be compared with another source.
 */
describe('worked examples of FAO-56, chapter 4', () => {
  it('is 5.72 mm in Bangkok in April (example 17)', () => {
    // Monthly means: ea 2.85 kPa is the dew point of 23.3 degrees; the day is 15 April. The soil
    // heat flux of the month, 0.14 MJ/m2, is 0 for a day, which makes 0.04 mm more.
    const weather = {
      ...NOTHING,
      temperatureMax: 34.8,
      temperatureMin: 25.6,
      dewPoint: 23.31,
      windMs: 2,
      radiationMj: 22.65,
    };
    const { mm, method } = referenceEvapotranspiration(
      weather,
      { latitude: 13 + 44 / 60, elevationM: 2 },
      105,
    );
    expect(method).toBe('penman_monteith');
    expect(mm!).toBeGreaterThan(5.71);
    expect(mm!).toBeLessThan(5.79);
  });

  it('is 3.9 mm in Brussels on 6 July (example 18)', () => {
    const weather = {
      temperatureMax: 21.5,
      temperatureMin: 12.3,
      humidityMax: 84,
      humidityMin: 63,
      dewPoint: null,
      windMs: windAtTwoMetres(10 / 3.6, 10),
      radiationMj: 22.07,
    };
    const { mm, method, missing } = referenceEvapotranspiration(
      weather,
      { latitude: 50.8, elevationM: 100 },
      187,
    );
    expect(method).toBe('penman_monteith');
    expect(missing).toEqual([]);
    expect(mm!).toBeCloseTo(3.88, 2);
  });

  /** ASCE-EWRI (2005), equation 18: the sky counts as no darker than 0.3 of a clear one. */
  it('loses no less long-wave radiation on a dark day than under 0.3 of a clear sky', () => {
    const dark = {
      temperatureMax: 8,
      temperatureMin: 2,
      humidityMax: 100,
      humidityMin: 80,
      dewPoint: null,
      windMs: 0,
    };
    const site = { latitude: 39.5, elevationM: 1208 };
    const evapotranspiration = (radiationMj: number): number =>
      referenceEvapotranspiration({ ...dark, radiationMj }, site, 306).mm!;
    // Of a clear sky of 13.4 MJ/m2: two shares below 0.3 differ by their short waves alone, which
    // are 0.77 of the radiation.
    const perMj = (evapotranspiration(3.6) - evapotranspiration(2.6)) / 1;
    expect(perMj).toBeCloseTo((evapotranspiration(2.6) - evapotranspiration(1.6)) / 1, 6);
    expect(perMj).toBeGreaterThan(0);
  });

  it('is 4.56 mm in Lyon in July with estimated inputs (example 20), and 5.0 mm by Hargreaves', () => {
    const weather = { ...NOTHING, temperatureMax: 26.6, temperatureMin: 14.8 };
    const estimated = { ...weather, dewPoint: 14.8, windMs: 2, radiationMj: 22.29 };
    const lyon = { latitude: 45.72, elevationM: 200 };
    expect(referenceEvapotranspiration(estimated, lyon, 196).mm).toBeCloseTo(4.56, 1);
    const { mm, method, missing } = referenceEvapotranspiration(weather, lyon, 196);
    expect(method).toBe('hargreaves');
    expect(missing).toEqual(['humidity', 'wind', 'radiation']);
    expect(mm!).toBeCloseTo(5.03, 2);
    expect(extraterrestrialRadiation(lyon.latitude, 196)).toBeCloseTo(40.55, 1);
  });

  it('is unknown without both temperatures', () => {
    expect(
      referenceEvapotranspiration(
        { ...NOTHING, temperatureMax: 30 },
        { latitude: 45, elevationM: 0 },
        196,
      ),
    ).toEqual({
      mm: null,
      method: null,
      missing: ['temperature', 'humidity', 'wind', 'radiation'],
    });
  });
});

/**
 * Every twelfth measured day of cotton2018.wth of the repository kthorp/pyfao56, a work of the
 * United States Government in the public domain: day of 2018, radiation, highest and lowest
 * temperature, dew point, highest and lowest humidity, wind at 3 m, and the reference
 * evapotranspiration that the Arizona Meteorological Network computed, at 361 m.
 */
type MeasuredDay = readonly [
  number,
  number,
  number,
  number,
  number,
  number,
  number,
  number,
  number,
];

const MARICOPA: readonly MeasuredDay[] = [
  [108, 26.96, 28.8, 5.4, -7.7, 38.3, 7.6, 1.5, 5.43],
  [120, 25.32, 30.0, 13.1, -1.8, 37.3, 11.5, 3.0, 7.29],
  [132, 28.95, 32.5, 19.6, 0.5, 43.3, 10.9, 4.5, 9.85],
  [144, 29.71, 37.1, 16.9, -0.2, 42.1, 6.5, 2.4, 8.39],
  [156, 29.81, 41.2, 18.6, 3.1, 56.2, 8.2, 1.9, 8.26],
  [168, 30.28, 37.1, 17.9, 9.7, 89.3, 10.7, 3.1, 8.95],
  [180, 29.77, 40.9, 23.3, 7.6, 44.9, 11.2, 2.8, 9.58],
  [192, 21.1, 37.8, 24.9, 20.1, 83.6, 28.4, 2.4, 6.59],
  [204, 28.38, 45.2, 27.8, 11.4, 45.8, 10.3, 2.1, 8.91],
  [216, 20.26, 43.2, 30.7, 15.7, 55.5, 13.8, 1.4, 6.39],
  [228, 20.81, 36.7, 26.2, 20.5, 76.8, 33.6, 2.5, 6.38],
  [240, 26.6, 39.8, 21.7, 7.7, 49.5, 9.6, 1.9, 7.26],
  [252, 24.13, 40.8, 25.3, 13.8, 59.8, 13.7, 2.5, 7.73],
  [264, 22.47, 38.0, 22.8, 18.4, 87.4, 15.3, 1.7, 5.72],
  [276, 16.39, 30.8, 20.7, 21.1, 97.3, 48.9, 1.0, 3.3],
  [288, 18.13, 24.5, 14.7, 11.3, 96.1, 29.0, 2.5, 3.7],
  [300, 17.52, 29.3, 11.3, 11.1, 92.2, 24.6, 1.1, 3.02],
];

describe('days of a weather station in Arizona', () => {
  const site = { latitude: 33.069, elevationM: 361 };
  const weatherOf = ([
    ,
    radiationMj,
    max,
    min,
    dewPoint,
    humidityMax,
    humidityMin,
    wind,
  ]: MeasuredDay) => ({
    temperatureMax: max,
    temperatureMin: min,
    humidityMax,
    humidityMin,
    dewPoint,
    radiationMj,
    windMs: windAtTwoMetres(wind, 3),
  });

  it.each(MARICOPA)('has the evapotranspiration of day %i of 2018 within 0.02 mm', (...row) => {
    const { mm } = referenceEvapotranspiration(weatherOf(row), site, row[0]);
    expect(Math.abs(mm! - row[8])).toBeLessThanOrEqual(0.02);
  });

  it('has nearly the same by humidities in place of the dew point', () => {
    for (const row of MARICOPA) {
      const { mm } = referenceEvapotranspiration(
        { ...weatherOf(row), dewPoint: null },
        site,
        row[0],
      );
      expect(Math.abs(mm! - row[8])).toBeLessThanOrEqual(0.6);
    }
  });
});

describe('the most that a crop may lose in a day', () => {
  it('is 1.3 times the highest reference evapotranspiration, once seven days are known', () => {
    expect(largestCropEvapotranspiration([2, 3, 5, null, 4, 3, 2, 1])).toBeCloseTo(6.5);
    expect(largestCropEvapotranspiration([2, 3, 5, null, 4, 3, 2])).toBeNull();
  });
});
