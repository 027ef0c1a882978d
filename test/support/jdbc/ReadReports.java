import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.Date;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.LocalDate;
import java.util.Properties;
import org.postgresql.PGStatement;

/** Prints what a program on JDBC gets of reports, a line each. Arguments: address, token. */
public class ReadReports {
  public static void main(String[] arguments) throws Exception {
    Properties properties = new Properties();
    properties.put("user", "reports");
    properties.put("password", arguments[1]);
    try (Connection connection = DriverManager.getConnection(arguments[0], properties)) {
      describe(connection.getMetaData());
      prepared(connection);
      inPages(connection);
      cancelled(connection);
      refused(connection);
    }
  }

  static void describe(DatabaseMetaData about) throws SQLException {
    print("tables", about.getTables(null, null, "%", new String[] {"TABLE", "VIEW"}), "TABLE_SCHEM", "TABLE_NAME");
    print("columns", about.getColumns(null, "public", "ad_statistics", "%"), "COLUMN_NAME", "TYPE_NAME", "ORDINAL_POSITION");
    print("schemas", about.getSchemas(), "TABLE_SCHEM");
    print("keys", about.getPrimaryKeys(null, "public", "ad_statistics"));
    print("imported", about.getImportedKeys(null, "public", "ad_statistics"));
    print("indexes", about.getIndexInfo(null, "public", "ad_statistics", false, false));
    print("privileges", about.getTablePrivileges(null, "public", "ad_statistics"), "PRIVILEGE");
    try (ResultSet types = about.getTypeInfo()) {
      if (!types.next()) throw new IllegalStateException("no types");
    }
  }

  /** From the fifth time on the driver names the statement, and sends and takes values in binary form. */
  static void prepared(Connection connection) throws SQLException {
    String sql = "SELECT day, domain, sum(impressions), sum(earnings), avg(ecpm) FROM ad_statistics"
        + " WHERE day BETWEEN ? AND ? AND country = ANY (?) GROUP BY 1, 2"
        + " HAVING sum(impressions) > ? AND sum(earnings) < ? ORDER BY 1, 2 LIMIT ?";
    for (int threshold : new int[] {5, -1}) {
      try (PreparedStatement statement = connection.prepareStatement(sql)) {
        statement.unwrap(PGStatement.class).setPrepareThreshold(threshold);
        statement.setDate(1, Date.valueOf("2026-01-01"));
        statement.setObject(2, LocalDate.of(2026, 3, 1));
        statement.setArray(3, connection.createArrayOf("text", new String[] {"DE", "AT"}));
        statement.setLong(4, 10);
        statement.setBigDecimal(5, new BigDecimal("99999.50"));
        statement.setInt(6, 10);
        try (ResultSet rows = statement.executeQuery()) {
          while (rows.next())
            System.out.println("row " + rows.getDate(1) + " " + rows.getString(2) + " " + rows.getLong(3) + " "
                + rows.getBigDecimal(4).toPlainString() + " " + rows.getBigDecimal(5).toPlainString());
        }
      }
    }
  }

  static void inPages(Connection connection) throws SQLException {
    connection.setAutoCommit(false);
    try (Statement statement = connection.createStatement()) {
      statement.setFetchSize(2);
      int count = 0;
      try (ResultSet rows = statement.executeQuery("SELECT day, impressions FROM ad_statistics WHERE day >= '2026-01-01'")) {
        while (rows.next()) count++;
      }
      System.out.println("pages " + count);
    }
    connection.commit();
    connection.setAutoCommit(true);
  }

  static void cancelled(Connection connection) throws Exception {
    try (Statement statement = connection.createStatement()) {
      Thread canceller = new Thread(() -> {
        try {
          Thread.sleep(300);
          statement.cancel();
        } catch (Exception error) {
          System.out.println("cancel failed " + error);
        }
      });
      canceller.start();
      statement.executeQuery("SELECT domain, sum(impressions) FROM ad_statistics WHERE domain = 'held.example' GROUP BY 1");
      System.out.println("cancelled not");
    } catch (SQLException error) {
      System.out.println("cancelled " + error.getSQLState());
    }
  }

  static void refused(Connection connection) throws SQLException {
    for (String sql : new String[] {"UPDATE ad_statistics SET domain = 'x'", "SELECT pg_sleep(1)"}) {
      try (Statement statement = connection.createStatement()) {
        statement.execute(sql);
        System.out.println("refused not");
      } catch (SQLException error) {
        System.out.println("refused " + error.getSQLState());
      }
    }
  }

  static void print(String what, ResultSet rows, String... names) throws SQLException {
    try (rows) {
      StringBuilder line = new StringBuilder(what);
      while (rows.next()) {
        line.append(" ;");
        for (String name : names) line.append(' ').append(rows.getString(name));
      }
      System.out.println(line);
    }
  }
}
