import { describe, expect, it } from 'vitest';
import {
  columnMeaning,
  nearestColumn,
  sensorColumnName,
} from '../../../../src/service/ingest/csv/column-names.ts';

function described(name: string): string | null {
  const meaning = columnMeaning(name);
  if (meaning?.kind !== 'sensor') return meaning?.kind ?? null;
  return `${sensorColumnName(meaning)}${meaning.unit === null ? '' : ` in ${meaning.unit.symbol}`}`;
}

describe('the name of a column', () => {
  it.each([
    ['humidity_10', 'humidity_10'],
    ['Temperature', 'temperature'],
    ['tension_30', 'tensio_30'],
    ['Soil moisture 10cm (%)', 'humidity_10 in %'],
    ['Soil Moisture 60cm (%) ', 'humidity_60 in %'],
    ['VWC_10cm', 'humidity_10'],
    ['vwc10', 'humidity_10'],
    ['Water content 30 cm, m³/m³', 'humidity_30 in m3/m3'],
    ['SWC -0.2 m (cm3 cm-3)', 'humidity_20 in m3/m3'],
    ['Soil moisture 4in (% vol)', 'humidity_10.16 in %'],
    ['SM1_10cm', 'humidity_10'],
    ['Soil humidity (%)', 'humidity in %'],
    ['Humidité du sol 10 cm (%)', 'humidity_10 in %'],
    ['Teneur en eau volumique 30 cm', 'humidity_30'],
    ['Humedad del suelo 20 cm [%]', 'humidity_20 in %'],
    ['Temp. sol 10cm (°C)', 'temperature_10 in deg C'],
    ['Soil temperature 100 mm (oC)', 'temperature_10 in deg C'],
    ['Temperature 10 cm, ℉', 'temperature_10 in deg F'],
    ['Matric potential 30cm (kPa)', 'tensio_30 in kPa'],
    ['Succión 30 cm (hPa)', 'tensio_30 in hPa'],
    ['Bodenfeuchte 10 cm (%)', 'humidity_10 in %'],
    ['Volumetrischer Wassergehalt 30 cm (m³/m³)', 'humidity_30 in m3/m3'],
    ['Bodentemperatur 20 cm (°C)', 'temperature_20 in deg C'],
    ['Saugspannung 30 cm (hPa)', 'tensio_30 in hPa'],
    ['Umidade do solo 10 cm (%)', 'humidity_10 in %'],
    ['Teor de água 30 cm', 'humidity_30'],
    ['Temperatura do solo 20 cm', 'temperature_20'],
    ['Tensão 30 cm (kPa)', 'tensio_30 in kPa'],
    ['Umidità del suolo 10 cm (%)', 'humidity_10 in %'],
    ['Contenuto idrico volumetrico 30 cm', 'humidity_30'],
    ['Temperatura terreno 20 cm', 'temperature_20'],
    ['Potenziale matriciale 30 cm (kPa)', 'tensio_30 in kPa'],
    ['Watermark 20cm cb', 'tensio_20 in kPa'],
    ['WaterScout 10cm %VWC', 'humidity_10 in %'],
    ['Zeitstempel', 'instant'],
    ['Datum', 'date'],
    ['Uhrzeit', 'clock'],
    ['Data e hora', 'instant'],
    ['Data/Ora', 'instant'],
    ['Profondità (cm)', 'depth'],
    ['Messwert', 'value'],
    ['Date', 'date'],
    ['Fecha', 'date'],
    ['Heure locale', 'clock'],
    ['Date Time', 'instant'],
    ['date_heure', 'instant'],
    ['TIMESTAMP', 'instant'],
    ['Date/Time (dd/mm/yyyy hh:mm)', 'instant'],
    ['Probe', 'module'],
    ['Nom de la sonde', 'module'],
    ['Depth (cm)', 'depth'],
    ['Valeur', 'value'],
  ])('%s means %s', (name, meaning) => {
    expect(described(name)).toBe(meaning);
  });

  it.each([
    ['Humidity (%)', 'is that of the air'],
    ['Air temperature', 'is that of the air'],
    ['Luftfeuchte (%)', 'is that of the air'],
    ['Lufttemperatur 2 m', 'is that of the air'],
    ['Umidade relativa do ar 10 m', 'is that of the air'],
    ['Temperatura aria', 'is that of the air'],
    ['Rain', 'no sensor measures it'],
    ['Soil moisture 10cm max', 'is no reading'],
    ['Soil moisture 10cm 20cm', 'has two depths'],
    ['Soil temperature 10 cm (%)', 'has the unit of another measurement'],
    ['Battery 10', 'no sensor measures it'],
    ['Probe A', 'is the name of one probe'],
    ['Sonde 2', 'is the name of one probe'],
    ['x'.repeat(1000), 'is no name'],
  ])('%s is not guessed: it %s', (name) => {
    expect(described(name)).toBeNull();
  });

  it('can say the zone and the order of the dates', () => {
    expect(columnMeaning('Date Time, GMT+02:00')).toMatchObject({
      kind: 'instant',
      zone: 'Etc/GMT-2',
      dates: null,
    });
    expect(columnMeaning('Time (UTC)')).toMatchObject({ kind: 'clock', zone: 'UTC' });
    expect(columnMeaning('Date (jj/mm/aaaa)')).toMatchObject({
      kind: 'date',
      zone: null,
      dates: 'dmy',
    });
    expect(columnMeaning('Datum (TT.MM.JJJJ)')).toMatchObject({ kind: 'date', dates: 'dmy' });
    expect(columnMeaning('Data (gg/mm/aaaa)')).toMatchObject({ kind: 'date', dates: 'dmy' });
    expect(columnMeaning('Date (MM/DD/YYYY)')).toMatchObject({ kind: 'date', dates: 'mdy' });
  });
});

it('finds the nearest column by measurement, then depth, then letters', () => {
  const known = ['humidity_10', 'humidity_30', 'temperature_10', 'tensio_30'];
  expect(nearestColumn('Soil moisture 25cm avg max', known)).toBe('humidity_30');
  expect(nearestColumn('Air temperature', known)).toBe('temperature_10');
  expect(nearestColumn('Humidty 30', known)).toBe('humidity_30');
  expect(nearestColumn('Rain', [])).toBeNull();
});
