/** The main path on the embedded database, as a newcomer starts it. */
import { describeMainPath } from './support/main-path.ts';

describeMainPath('embedded');
