# LC_ALL=C awk -f csv.awk -f table.awk -f ladder_table.awk ladder.csv: the ladder as a table.

function print_row(rung, a, b, c, d, e, f, g) {
  printf "%-14s%s%s%s%s%s%s%s\n", rung, pad(a, 13), pad(b, 17), pad(c, 14), pad(d, 15), pad(e, 19), pad(f, 9), pad(g, 10)
}

FNR == 1 { read_header($0); next }

{ split_csv($0, row) }

value("n") != last {
  last = value("n")
  printf "\nN = %d; a copy: %.0f GB/s\n", last, value("gigabytes_per_s") / value("fraction_of_copy")
  print_row("rung", "active lanes", "sectors/request", "bytes/sector", "sectors/point", "sweep", "of copy", "speed-up")
}

{
  rung = value("rung")
  gsub(/_/, " ", rung)
  print_row(rung, sprintf("%.2f", value("active_lanes")), sprintf("%.2f", value("sectors_per_request")),
            sprintf("%.2f", value("bytes_per_sector")), sprintf("%.2f", value("sectors_per_point")),
            sprintf("%.4f ms%s", value("sweep_ms"), value("clock") == "model" ? " (model)" : ""),
            sprintf("%.2f", value("fraction_of_copy")), sprintf("%.2f", value("speedup")))
}

END { exit failed }
