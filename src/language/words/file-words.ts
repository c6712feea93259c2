import { germanFileWords } from '../de/words.ts';
import { ALL_LANGUAGES } from '../index.ts';
import { italianFileWords } from '../it/words.ts';
import { portugueseFileWords } from '../pt/words.ts';
import type { FileWords } from './language-words.ts';

/** Sensors whose names stand for what they measure. */
const products: FileWords = {
  columns: {},
  measurements: { humidity: 'waterscout', temperature: '', tensio: 'watermark swp swt' },
  weatherColumns: {},
};

/** The history that Home Assistant exports: entity_id, state, last_changed. */
const homeAssistant: FileWords = {
  columns: { module: 'entity', instant: 'changed updated', fillers: 'last' },
  measurements: { humidity: '', temperature: '', tensio: '' },
  weatherColumns: {},
};

export const FILE_WORDS: readonly FileWords[] = [
  ...ALL_LANGUAGES.map(({ words: { columns, weatherColumns }, measurements }) => ({
    columns,
    weatherColumns,
    measurements: {
      humidity: measurements.humidity.columns,
      temperature: measurements.temperature.columns,
      tensio: measurements.tensio.columns,
    },
  })),
  germanFileWords,
  portugueseFileWords,
  italianFileWords,
  products,
  homeAssistant,
];
