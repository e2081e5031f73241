/**
 * A separate process that unpacks the browser into its temporary folder (TMPDIR) and prints its
 * path.
 */
import packagedChromium from '@sparticuz/chromium';

process.stdout.write(await packagedChromium.executablePath());
