import type { Language } from '../en/index.ts';
import {
  spanishAdvicePhrases,
  spanishBriefPhrases,
  spanishOverview,
  spanishSuggestion,
} from './advice.ts';
import { spanishAlertPhrases, spanishAnnotationPhrases } from './alerts.ts';
import { spanishChartLabels, spanishChartPhrases, spanishPageChart } from './chart.ts';
import { spanishChanges, spanishEnumLabels, spanishPlace } from './company.ts';
import { spanishCore, spanishList, spanishQuestions } from './core.ts';
import { spanishFormat } from './grammar.ts';
import {
  spanishCsvImport,
  spanishImportReport,
  spanishRejections,
  spanishSkippedColumns,
} from './imports.ts';
import { spanishReview, spanishWatering } from './irrigation.ts';
import { spanishMail } from './mail.ts';
import { spanishDoubt, spanishSeries } from './moisture.ts';
import {
  spanishDevice,
  spanishGateway,
  spanishState,
  spanishTension,
  spanishThresholds,
} from './monitoring.ts';
import { spanishCrops, spanishNames } from './names.ts';
import { spanishPage, spanishSignIn, spanishThisDevice } from './page.ts';
import { spanishSchedule, spanishSettings, spanishSetup, spanishSoil } from './setup.ts';
import { spanishRain, spanishWeather } from './weather.ts';
import { spanishWords } from './words.ts';

export const spanish: Language = {
  countries: 'ES MX GT SV HN NI CR PA CU DO PR CO VE EC PE BO CL AR UY PY GQ'.split(' '),
  format: spanishFormat,
  core: spanishCore,
  list: spanishList,
  questions: spanishQuestions,
  place: spanishPlace,
  enumLabels: spanishEnumLabels,
  crops: spanishCrops,
  names: spanishNames,
  changes: spanishChanges,
  rain: spanishRain,
  weather: spanishWeather,
  soil: spanishSoil,
  series: spanishSeries,
  doubt: spanishDoubt,
  state: spanishState,
  thresholds: spanishThresholds,
  tension: spanishTension,
  gateway: spanishGateway,
  device: spanishDevice,
  csvImport: spanishCsvImport,
  importReport: spanishImportReport,
  rejections: spanishRejections,
  skippedColumns: spanishSkippedColumns,
  alert: spanishAlertPhrases,
  annotation: spanishAnnotationPhrases,
  watering: spanishWatering,
  settings: spanishSettings,
  setup: spanishSetup,
  schedule: spanishSchedule,
  advice: spanishAdvicePhrases,
  brief: spanishBriefPhrases,
  overview: spanishOverview,
  review: spanishReview,
  suggestion: spanishSuggestion,
  chart: spanishChartPhrases,
  chartLabels: spanishChartLabels,
  mail: spanishMail,
  page: spanishPage,
  pageChart: spanishPageChart,
  signIn: spanishSignIn,
  thisDevice: spanishThisDevice,
  words: spanishWords,
};
