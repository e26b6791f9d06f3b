# awk -v version=… -v commit=… -v created=… -v verification=… -f sbom.awk DEPENDENCIES SHA1 SHA256: the SPDX 2.3
# document of a release. DEPENDENCIES has lines TYPE NAME VERSION SHA256; the other two are the output of
# sha1sum and sha256sum.

function quote(text) {
  gsub(/\\/, "\\\\", text)
  gsub(/"/, "\\\"", text)
  return "\"" text "\""
}

function file_name(line) { return substr(line, 43 + (FILENAME == ARGV[3]) * 24) } # after the hash and two characters

function licence(name) {
  return name ~ /\.(md|svg|ipynb)$/ || name == "LICENSE-docs" ? "CC-BY-4.0" : "MIT"
}

FILENAME == ARGV[1] { type[++dependencies] = $1; name[dependencies] = $2; release[dependencies] = $3; hash[dependencies] = $4; next }
FILENAME == ARGV[2] { path[++files] = file_name($0); sha1[files] = $1; next }
{ sha256[file_name($0)] = $1 }

function print_package(n) {
  printf ",\n    {\"SPDXID\": \"SPDXRef-Dependency-%d\", \"name\": %s, ", n, quote(name[n])
  if (release[n] != "-") printf "\"versionInfo\": %s, ", quote(release[n])
  printf "\"downloadLocation\": \"NOASSERTION\", \"filesAnalyzed\": false, " # the purl below says which package it is
  if (hash[n] != "-") printf "\"checksums\": [{\"algorithm\": \"SHA256\", \"checksumValue\": \"%s\"}], ", hash[n]
  printf "\"licenseConcluded\": \"NOASSERTION\", \"licenseDeclared\": \"NOASSERTION\", \"copyrightText\": \"NOASSERTION\", "
  printf "\"externalRefs\": [{\"referenceCategory\": \"PACKAGE-MANAGER\", \"referenceType\": \"purl\", \"referenceLocator\": %s}]}",
    quote("pkg:" (type[n] == "deb" ? "deb/debian/" : "pypi/") name[n] (release[n] == "-" ? "" : "@" release[n]))
}

END {
  print "{"
  print "  \"spdxVersion\": \"SPDX-2.3\","
  print "  \"dataLicense\": \"CC0-1.0\","
  print "  \"SPDXID\": \"SPDXRef-DOCUMENT\","
  print "  \"name\": " quote("checkerboard-" version) ","
  print "  \"documentNamespace\": " quote("https://spdx.org/spdxdocs/checkerboard-" version "-" commit) ","
  print "  \"creationInfo\": {\"created\": " quote(created) ", \"creators\": [" quote("Tool: checkerboard-kit-release-" version) "]},"
  print "  \"documentDescribes\": [\"SPDXRef-Checkerboard\"],"
  print "  \"packages\": ["
  printf "    {\"SPDXID\": \"SPDXRef-Checkerboard\", \"name\": \"checkerboard\", \"versionInfo\": %s, ", quote(version)
  printf "\"downloadLocation\": \"NOASSERTION\", \"sourceInfo\": %s, \"filesAnalyzed\": true, ", quote("git commit " commit)
  printf "\"packageVerificationCode\": {\"packageVerificationCodeValue\": \"%s\"}, \"licenseInfoFromFiles\": [\"MIT\", \"CC-BY-4.0\"], ", verification
  printf "\"licenseConcluded\": \"MIT AND CC-BY-4.0\", \"licenseDeclared\": \"MIT AND CC-BY-4.0\", "
  printf "\"copyrightText\": \"Copyright (c) 2026 the Checkerboard authors\"}"
  for (n = 1; n <= dependencies; n++) print_package(n)
  print "\n  ],"
  print "  \"files\": ["
  for (n = 1; n <= files; n++) {
    printf "    {\"SPDXID\": \"SPDXRef-File-%d\", \"fileName\": %s, ", n, quote("./" path[n])
    printf "\"checksums\": [{\"algorithm\": \"SHA1\", \"checksumValue\": \"%s\"}, ", sha1[n]
    printf "{\"algorithm\": \"SHA256\", \"checksumValue\": \"%s\"}], ", sha256[path[n]]
    printf "\"licenseConcluded\": \"%s\", \"licenseInfoInFiles\": [\"NOASSERTION\"], \"copyrightText\": \"NOASSERTION\"}%s\n",
      licence(path[n]), n < files ? "," : ""
  }
  print "  ],"
  print "  \"relationships\": ["
  printf "    {\"spdxElementId\": \"SPDXRef-DOCUMENT\", \"relationshipType\": \"DESCRIBES\", \"relatedSpdxElement\": \"SPDXRef-Checkerboard\"}"
  for (n = 1; n <= dependencies; n++)
    printf ",\n    {\"spdxElementId\": \"SPDXRef-Checkerboard\", \"relationshipType\": \"DEPENDS_ON\", \"relatedSpdxElement\": \"SPDXRef-Dependency-%d\"}", n
  for (n = 1; n <= files; n++)
    printf ",\n    {\"spdxElementId\": \"SPDXRef-Checkerboard\", \"relationshipType\": \"CONTAINS\", \"relatedSpdxElement\": \"SPDXRef-File-%d\"}", n
  print "\n  ]"
  print "}"
}
