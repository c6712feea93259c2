import { englishChartLabels, englishPageChart, englishPictureLabels } from './chart.ts';
import { englishFileFaults } from './file-faults.ts';
import { englishFormat, englishJoiners } from './grammar.ts';
import {
  englishFarmReport,
  englishImportReport,
  englishRejections,
  englishSkippedColumns,
  englishWeatherFile,
  englishZoneChange,
} from './import-report.ts';
import { englishEnumLabels, englishLabels } from './labels.ts';
import { englishMail } from './mail.ts';
import { englishMeasurements } from './measurements.ts';
import { englishCrops, englishNames } from './names.ts';
import { englishPage, englishSignIn, englishThisDevice } from './page.ts';
import { englishQuestions, englishWaiting } from './questions.ts';
import { englishDoubtMail, englishReasons, englishSuspectReadings } from './reasons.ts';
import { englishSearchWords } from './search-words.ts';
import { englishConnection } from './terminal/connection.ts';
import { englishInterview } from './terminal/interview.ts';
import { englishService } from './terminal/service.ts';
import { englishTime } from './time.ts';
import { englishQuantities, englishUsUnits } from './us-units.ts';
import { englishWords } from './words.ts';

/**
 * Countries (ISO 3166-1) whose administration writes in this language alone, and territories with a
 * code of their own.
 */
const COUNTRIES: readonly string[] = [];

export const english = {
  countries: COUNTRIES,
  format: englishFormat,
  time: englishTime,
  labels: englishLabels,
  enumLabels: englishEnumLabels,
  measurements: englishMeasurements,
  crops: englishCrops,
  names: englishNames,
  words: englishWords,
  usUnits: englishUsUnits,
  quantities: englishQuantities,
  joiners: englishJoiners,
  searchWords: englishSearchWords,
  questions: englishQuestions,
  reasons: englishReasons,
  suspectReadings: englishSuspectReadings,
  doubtMail: englishDoubtMail,
  waiting: englishWaiting,
  importReport: englishImportReport,
  interview: englishInterview,
  connection: englishConnection,
  service: englishService,
  fileFaults: englishFileFaults,
  farmReport: englishFarmReport,
  zoneChange: englishZoneChange,
  weatherFile: englishWeatherFile,
  rejections: englishRejections,
  skippedColumns: englishSkippedColumns,
  chartLabels: englishChartLabels,
  pictureLabels: englishPictureLabels,
  mail: englishMail,
  page: englishPage,
  pageChart: englishPageChart,
  signIn: englishSignIn,
  thisDevice: englishThisDevice,
};

export type Language = typeof english;
