<?php

// Runs PHPUnit on test files and writes one JUnit document: php phpunit_files.php OUT COMMAND... -- FILE...
//
// All files run in one process. Where that ends without a report (a fatal error, an exit), each file runs in a process
// of its own, and those that leave no report again are named by a case with an error of type r2e.error. The project's
// configuration is kept, but for what chooses, orders, stops, logs or prints tests.

declare(strict_types=1);

const CONFIGURATIONS = ['phpunit.xml', 'phpunit.dist.xml', 'phpunit.xml.dist'];
const DROPPED_ELEMENTS = ['testsuites', 'testsuite', 'logging', 'coverage'];
const DROPPED_ATTRIBUTES = '/^(?:stopOn|failOn|printer|cacheResult|executionOrder|defaultTestSuite|testdox|colors)/';
const FLAGS = ['--colors=never', '--do-not-cache-result', '--order-by=default', '--no-coverage'];

/** What PHPUnit is started with: the project's configuration with these files as its only suite. */
function configuration(array $files, ?string $path): DOMDocument
{
    $document = new DOMDocument();
    if ($path !== null) {
        $document->load($path, LIBXML_NONET);
    }
    $root = $document->documentElement ?? $document->appendChild($document->createElement('phpunit'));
    foreach (iterator_to_array($root->childNodes) as $child) {
        if (in_array($child->nodeName, DROPPED_ELEMENTS, true)) {
            $root->removeChild($child);
        }
    }
    foreach (iterator_to_array($root->attributes) as $attribute) {
        if (preg_match(DROPPED_ATTRIBUTES, $attribute->nodeName)) {
            $root->removeAttributeNode($attribute);
        }
    }
    // A PHPUnit that Composer did not install does not load this by itself.
    if (!$root->hasAttribute('bootstrap') && is_file('vendor/autoload.php')) {
        $root->setAttribute('bootstrap', realpath('vendor/autoload.php'));
    }
    $suites = $root->insertBefore($document->createElement('testsuites'), $root->firstChild);
    $suite = $suites->appendChild($document->createElement('testsuite'));
    $suite->setAttribute('name', 'r2e');
    foreach ($files as $file) {
        $suite->appendChild($document->createElement('file'))->appendChild($document->createTextNode(realpath($file)));
    }
    return $document;
}

/** The command without its own choice of a configuration, and that choice. */
function withoutConfiguration(array $command): array
{
    foreach ($command as $at => $word) {
        if (preg_match('/^--configuration=(.*)$/', $word, $match)) {
            array_splice($command, $at, 1);
            return [$command, $match[1]];
        }
        if (in_array($word, ['-c', '--configuration'], true) && isset($command[$at + 1])) {
            $path = $command[$at + 1];
            array_splice($command, $at, 2);
            return [$command, $path];
        }
    }
    $found = array_filter(CONFIGURATIONS, 'is_file');
    return [$command, $found ? reset($found) : null];
}

/** The report of one process, or null where it left none, and its exit code. */
function run(array $command, array $files, ?string $path): array
{
    // Beside the project's own, from where its paths are seen.
    $configuration = ($path === null ? '.' : dirname($path)) . '/.r2e-phpunit-' . getmypid() . '.xml';
    $report = tempnam(sys_get_temp_dir(), 'r2e');
    configuration($files, $path)->save($configuration);
    try {
        $process = proc_open([...$command, '--configuration', $configuration, '--log-junit', $report, ...FLAGS], [], $pipes);
        $code = is_resource($process) ? proc_close($process) : 127;
        $document = new DOMDocument();
        $text = (string) file_get_contents($report);
        $complete = $text !== '' && @$document->loadXML($text, LIBXML_NONET | LIBXML_PARSEHUGE);
        return [$complete ? $document : null, $code];
    } finally {
        unlink($configuration);
        @unlink($report);
    }
}

function adopt(DOMElement $root, DOMDocument $document): void
{
    foreach ($document->documentElement->childNodes as $child) {
        $root->appendChild($root->ownerDocument->importNode($child, true));
    }
}

/** A file as a whole: `error` where it ends the process or does not come to its tests, `skipped` where it wants so. */
function addFile(DOMElement $root, string $file, string $mark): void
{
    $case = $root->appendChild($root->ownerDocument->createElement('testcase'));
    $case->setAttribute('name', $file);
    $case->setAttribute('file', $file);
    $case->appendChild($root->ownerDocument->createElement($mark))->setAttribute('type', "r2e.$mark");
}

/** Files of classes that no test was reported of: their setUpBeforeClass failed or skipped them. */
function silentFiles(DOMDocument $document): array
{
    $ran = [];
    foreach ($document->getElementsByTagName('testcase') as $case) {
        $ran[$case->getAttribute('class')] = true;
    }
    $files = [];
    foreach ($document->getElementsByTagName('testsuite') as $suite) {
        if ($suite->hasAttribute('file') && !isset($ran[$suite->getAttribute('name')])) {
            $files[] = $suite->getAttribute('file');
        }
    }
    return $files;
}

$arguments = array_slice($argv, 1);
$end = array_search('--', $arguments, true);
if ($end === false || $end < 2) {
    fwrite(STDERR, "usage: php phpunit_files.php OUT COMMAND... -- FILE...\n");
    exit(70);
}
[$command, $path] = withoutConfiguration(array_slice($arguments, 1, $end - 1));
$files = array_values(array_filter(array_slice($arguments, $end + 1), 'is_file'));
$merged = new DOMDocument('1.0', 'UTF-8');
$root = $merged->appendChild($merged->createElement('testsuites'));
[$whole, $worst] = run($command, $files, $path);
if ($whole !== null) {
    adopt($root, $whole);
} elseif ($worst !== 127) {
    foreach ($files as $file) {
        fwrite(STDERR, "$file in a process of its own\n");
        [$part, $code] = run($command, [$file], $path);
        $worst = max($worst, $code);
        $part === null ? addFile($root, $file, 'error') : adopt($root, $part);
    }
}
foreach (silentFiles($merged) as $file) {
    [, $code] = run($command, [$file], $path);
    addFile($root, $file, $code === 0 ? 'skipped' : 'error');
}
$merged->save($arguments[0]);
exit($worst);
