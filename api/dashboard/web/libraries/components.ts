// Loads the file that the build makes of the first page's components, and runs it.
import '@mantine/core';
