import type { Language } from '../en/index.ts';
import { frenchChartLabels, frenchPageChart, frenchPictureLabels } from './chart.ts';
import { frenchFileFaults } from './file-faults.ts';
import { frenchFormat, frenchJoiners } from './grammar.ts';
import {
  frenchFarmReport,
  frenchImportReport,
  frenchRejections,
  frenchSkippedColumns,
  frenchWeatherFile,
  frenchZoneChange,
} from './import-report.ts';
import { frenchEnumLabels, frenchLabels } from './labels.ts';
import { frenchMail } from './mail.ts';
import { frenchMeasurements } from './measurements.ts';
import { frenchCrops, frenchNames } from './names.ts';
import { frenchPage, frenchSignIn, frenchThisDevice } from './page.ts';
import { frenchQuestions, frenchWaiting } from './questions.ts';
import { frenchDoubtMail, frenchReasons, frenchSuspectReadings } from './reasons.ts';
import { frenchSearchWords } from './search-words.ts';
import { frenchConnection } from './terminal/connection.ts';
import { frenchInterview } from './terminal/interview.ts';
import { frenchService } from './terminal/service.ts';
import { frenchTime } from './time.ts';
import { frenchQuantities, frenchUsUnits } from './us-units.ts';
import { frenchWords } from './words.ts';

export const french: Language = {
  countries: 'FR MC SN CI ML BF BJ TG GN NE GA CG CD GP MQ GF RE YT PM BL MF NC PF WF TF'.split(
    ' ',
  ),
  format: frenchFormat,
  time: frenchTime,
  labels: frenchLabels,
  enumLabels: frenchEnumLabels,
  measurements: frenchMeasurements,
  crops: frenchCrops,
  names: frenchNames,
  words: frenchWords,
  usUnits: frenchUsUnits,
  quantities: frenchQuantities,
  joiners: frenchJoiners,
  searchWords: frenchSearchWords,
  questions: frenchQuestions,
  reasons: frenchReasons,
  suspectReadings: frenchSuspectReadings,
  doubtMail: frenchDoubtMail,
  waiting: frenchWaiting,
  importReport: frenchImportReport,
  interview: frenchInterview,
  connection: frenchConnection,
  service: frenchService,
  fileFaults: frenchFileFaults,
  farmReport: frenchFarmReport,
  zoneChange: frenchZoneChange,
  weatherFile: frenchWeatherFile,
  rejections: frenchRejections,
  skippedColumns: frenchSkippedColumns,
  chartLabels: frenchChartLabels,
  pictureLabels: frenchPictureLabels,
  mail: frenchMail,
  page: frenchPage,
  pageChart: frenchPageChart,
  signIn: frenchSignIn,
  thisDevice: frenchThisDevice,
};
