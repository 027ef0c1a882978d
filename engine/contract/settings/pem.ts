const pem = (what: string) => ({
  pattern: `-----BEGIN [A-Z ]*${what}-----[\\s\\S]+-----END [A-Z ]*${what}-----`,
  file: true,
});

/** For settings that hold PEM, or name a file with it by `_FILE`. */
export const certificatePem = {
  ...pem('CERTIFICATE'),
  shape: 'a certificate in PEM, with its lines; a path goes into the setting of this name with _FILE',
};

/** @param setting its name. */
export const privateKeyPem = (setting: string) => ({
  ...pem('PRIVATE KEY'),
  shape: `a private key in PEM, with its lines; a path goes into ${setting}_FILE`,
  secret: true,
});
